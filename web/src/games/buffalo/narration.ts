import type { BuffaloEvent } from '$lib/types';
import { PLACED, PLAYS, type NarrationOf, type Param } from '../tellings.ts';

/** A use of a special card in a few words. */
const use: Param = {
  text: 'use.{use.type}',
  with: {
    row: 'use.row',
    card: 'use.card',
    name: 'use.seat|name',
    order: { each: 'use.order', say: 'use.order.*|name', join: ' → ' },
  },
};
const card: Param = { text: 'kind.{kind}' };
const teamTakes = {
  text: 'log.teamTakes',
  with: { cards: 'taken|commas', bulls: 'bulls|bulls' },
  when: { taken: true },
} as const;

export const narration: NarrationOf<BuffaloEvent> = {
  nobody: 'buffalo',
  events: {
    RoundDealt: [{ text: 'log.dealt', with: { cards: 'rows.*.0|listed' } }],
    SpecialsRevealed: [
      {
        text: 'log.specials',
        with: { cards: { each: 'kinds', say: { text: 'kind.{kinds.*}' }, join: 'listed' } },
      },
    ],
    CardChosen: [{ text: 'log.chosen', with: { name: 'seat|name', card: 'card' }, when: { card: true } }],
    CardsRevealed: [{ text: 'log.revealed', with: { plays: PLAYS } }],
    SpecialProposed: [{ text: 'log.proposed', with: { name: 'seat|name', use } }],
    ProposalAgreed: [{ text: 'log.agreed', with: { name: 'seat|name' } }],
    ProposalDeclined: [{ text: 'log.declined', with: { name: 'seat|name' } }],
    ProposalWithdrawn: [{ text: 'log.withdrawn', with: { name: 'seat|name' } }],
    SpecialUsed: [{ text: 'log.used', with: { use } }],
    SpecialRemoved: [{ text: 'log.removed', with: { card, row: 'row' } }],
    CardTakenBack: [{ text: 'log.back', with: { name: 'seat|name', card: 'card' } }],
    CardSwapped: [{ text: 'log.swapped', with: { name: 'seat|name', card: 'card' } }],
    CardInserted: [{ text: 'caption.inserted', with: { card: 'card', row: 'row' } }, teamTakes],
    CardPushed: [{ text: 'caption.pushed', with: { card: 'card', row: 'row' } }, teamTakes],
    OrderChanged: [{ text: 'log.order', with: { plays: PLAYS } }],
    CardPlaced: [
      { text: 'log.placed', with: PLACED, when: { taken: false } },
      { text: 'log.takes', with: PLACED, when: { taken: true } },
    ],
    PointsCounted: [
      { text: 'log.points', with: { team: 'team', buffalo: 'buffalo' }, when: { doubled: false } },
      { text: 'log.doubled', with: { team: 'team', buffalo: 'buffalo' }, when: { doubled: true } },
    ],
    MatchEnded: [
      { text: 'log.won', when: { 'outcome.winners': true } },
      { text: 'log.lost', when: { 'outcome.winners': false } },
    ],
    SeatPassed: [],
  },
};
