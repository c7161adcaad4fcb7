import type { ElevenEvent } from '$lib/types';
import type { NarrationOf } from '../tellings.ts';

export const narration: NarrationOf<ElevenEvent> = {
  events: {
    HandsDealt: [{ text: 'log.dealt', with: { round: 'round', name: 'starter|name' } }],
    PilesOpened: [{ text: 'log.opened', with: { cards: 'cards|listed' } }],
    CardLaid: [{ text: 'log.laid', with: { name: 'seat|name', card: 'card', on: 'on' } }],
    TurnEnded: [],
    PileTaken: [
      {
        text: 'log.taken',
        with: {
          name: 'seat|name',
          top: 'top',
          cards: { text: 'cards', with: { count: 'count' } },
        },
      },
      { text: 'log.yours', with: { cards: 'cards|commas' }, when: { cards: true } },
    ],
    BullCardGained: [
      { text: 'log.bullCard', with: { name: 'seat|name' }, when: { giver: false } },
      { text: 'log.bullCardFrom', with: { name: 'seat|name', giver: 'giver|name' }, when: { giver: true } },
    ],
    BullCardMissed: [{ text: 'log.noBullCard', with: { name: 'seat|name' } }],
    HandsShown: [{ text: 'log.shown', with: { seats: { each: 'bulls', say: ['*|name', 'bulls.*|bulls'] } } }],
  },
};
