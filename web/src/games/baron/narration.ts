import type { BaronEvent } from '$lib/types';
import { PLACED, PLAYS, type NarrationOf, type Param } from '../tellings.ts';

const colours: Param = { each: 'colours', say: { text: 'colour.{colours.*}' }, join: 'listed' };

export const narration: NarrationOf<BaronEvent> = {
  events: {
    RoundDealt: [{ text: 'log.dealt', with: { round: 'round', cards: 'rows.*.0|listed' } }],
    CardChosen: [{ text: 'log.chosen', with: { name: 'seat|name', card: 'card' }, when: { card: true } }],
    CardsRevealed: [{ text: 'log.revealed', with: { plays: PLAYS } }],
    CardPlaced: [
      { text: 'log.placed', with: PLACED, when: { taken: false } },
      { text: 'log.six-bulls', with: { ...PLACED, colours }, when: { taken: true, rule: 'six-bulls' } },
      { text: 'log.sixth-card', with: PLACED, when: { taken: true, rule: 'sixth-card' } },
      { text: 'log.no-colour', with: PLACED, when: { taken: true, rule: 'no-colour' } },
    ],
    CardReturned: [{ text: 'log.returned', with: { name: 'seat|name', card: 'card' } }],
    CardsDrawn: [{ text: 'log.drawn' }],
    StoodStill: [{ text: 'log.still' }],
    LeftCounted: [{ text: 'log.left', with: { seats: { each: 'bulls', say: ['*|name', 'bulls.*|bulls'] } } }],
  },
};
