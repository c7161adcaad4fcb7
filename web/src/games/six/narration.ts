import type { SixEvent } from '$lib/types';
import { PLACED, type NarrationOf } from '../tellings.ts';

export const narration: NarrationOf<SixEvent> = {
  events: {
    RoundDealt: [{ text: 'log.dealt', with: { round: 'round', cards: 'rows.*.0|listed' } }],
    DraftBegun: [{ text: 'log.draft', with: { round: 'round', highest: 'pool.-1', name: 'starter|name' } }],
    CardDrafted: [{ text: 'log.drafted', with: { name: 'seat|name', card: 'card' } }],
    RowsStarted: [{ text: 'log.rows', with: { cards: 'cards|listed' } }],
    MarkersLaid: [
      {
        text: 'log.even-odd',
        with: { row: 'markers.even_odd.row', parity: { text: 'parity.{markers.even_odd.parity}' } },
        when: { 'markers.even_odd': true },
      },
      {
        text: 'log.mountain',
        with: { row: 'markers.mountain.row' },
        when: { 'markers.mountain': true },
      },
      { text: 'log.cow', with: { row: 'markers.cow' }, when: { 'markers.cow': true } },
    ],
    CardChosen: [
      { text: 'log.chosen', with: { name: 'seat|name', card: 'play.card' }, when: { play: true } },
    ],
    CardsRevealed: [
      {
        text: 'log.revealed',
        with: {
          plays: {
            each: 'plays',
            say: [
              'plays.*.seat|name',
              'plays.*.card',
              {
                text: 'log.as',
                with: { value: 'plays.*.card|digits' },
                when: { 'plays.*.twisted': true },
              },
            ],
          },
        },
      },
    ],
    CardPlaced: [
      { text: 'log.placed', with: PLACED, when: { taken: false } },
      { text: 'log.full-row', with: PLACED, when: { taken: true, rule: 'full-row' } },
      { text: 'log.too-low', with: PLACED, when: { taken: true, rule: '!full-row' } },
    ],
    CowJumped: [
      { text: 'log.cowJumped', with: { row: 'row' }, when: { kept: false } },
      { text: 'log.cowTakes', with: { ...PLACED, kept: 'kept' }, when: { kept: true } },
    ],
    MarkerMoved: [
      {
        text: 'log.even-odd',
        with: { row: 'row', parity: { text: 'parity.{shows}' } },
        when: { fan: 'even-odd' },
      },
      { text: 'log.mountain', with: { row: 'row' }, when: { fan: '!even-odd' } },
    ],
  },
};
