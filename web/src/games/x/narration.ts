import type { XEvent } from '$lib/types';
import { PLACED, PLAYS, type NarrationOf } from '../tellings.ts';

export const narration: NarrationOf<XEvent> = {
  events: {
    RoundDealt: [{ text: 'log.dealt', with: { round: 'round', cards: 'rows.*.0|listed' } }],
    CardChosen: [{ text: 'log.chosen', with: { name: 'seat|name', card: 'card' }, when: { card: true } }],
    CardsRevealed: [{ text: 'log.revealed', with: { plays: PLAYS } }],
    CardPlaced: [
      { text: 'log.placed', with: PLACED, when: { taken: false } },
      { text: 'log.full-row', with: PLACED, when: { taken: true, rule: 'full-row' } },
      { text: 'log.too-low', with: PLACED, when: { taken: true, rule: '!full-row' } },
    ],
    CardKept: [
      { text: 'log.kept', with: { name: 'seat|name', card: 'card' } },
      { text: 'log.broken', with: { cards: 'discarded|commas' }, when: { discarded: true } },
      { text: 'log.toHand', with: { cards: 'to_hand|commas' }, when: { to_hand: true } },
    ],
    HandsCounted: [
      {
        each: 'hands',
        say: {
          text: 'log.counted',
          with: { name: '*|name', hand: 'in_hand.*|bulls', pile: 'in_x_pile.*|bulls' },
        },
        join: ' ',
      },
    ],
  },
};
