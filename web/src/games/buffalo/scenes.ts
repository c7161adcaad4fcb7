/** What happens in Beat the Buffalo, in steps that can be watched. */
import type { Scene } from '../game';
import { dealt, laid, on, revealed, routes, seatAt, taken } from '../scenes';
import type { BuffaloCardPlaced, BuffaloEvent, BuffaloView } from '$lib/types';
import { BUFFALO, TEAM } from './specials';
import { t } from './texts';

type Step = Scene<BuffaloView>;

const place = (seat: number): string => (seat === BUFFALO ? 'buffalo' : seatAt(seat));

function placed(before: BuffaloView, event: BuffaloCardPlaced, after: BuffaloView): readonly Step[] {
  const { seat, card, row } = event;
  if (event.taken.length === 0)
    return [laid(before, event, after, t('caption.placed', { card, row }), 0.7, place)];
  const caption = t(seat === BUFFALO ? 'caption.buffaloTakes' : 'caption.takes', { card, row });
  const focus = { row, gain: { seat, bulls: event.bulls } };
  return [
    laid(before, event, after, caption, 0.7, place),
    { ...taken(event, after, caption), to: routes(event.taken, place(seat)), focus },
  ];
}

/** Until all has been shown nobody is asked anything, and the turn is that of the cards that are placed. */
export function scenes(before: BuffaloView, event: BuffaloEvent, after: BuffaloView): readonly Step[] {
  const shown = on(after, { window: null });
  const sameTurn = on(shown, { turn: before.table.turn });
  switch (event.type) {
    case 'RoundDealt':
      return [dealt([...event.rows.flat(), ...after.hand], shown)];
    case 'CardsRevealed':
      return [revealed(event.plays, shown, t('caption.revealed'), place)];
    case 'CardPlaced':
      return placed(before, event, sameTurn);
    case 'CardInserted':
    case 'CardPushed': {
      const { card, row } = event;
      return [
        {
          view: sameTurn,
          to: routes(event.taken, 'team'),
          focus:
            event.taken.length > 0 ? { row, card, gain: { seat: TEAM, bulls: event.bulls } } : { row, card },
          sound: event.taken.length > 0 ? 'take' : 'place',
          hold: 1.2,
          caption: t(event.type === 'CardPushed' ? 'caption.pushed' : 'caption.inserted', { card, row }),
        },
      ];
    }
    case 'OrderChanged':
      return [{ view: shown, sound: 'choose', hold: 1, caption: t('caption.order') }];
    case 'SpecialUsed':
      return [{ view: sameTurn, sound: 'choose', hold: 0.6, caption: t('caption.special') }];
    case 'CardTakenBack': {
      const { seat, card } = event;
      return [{ view: shown, to: seat === after.seat ? {} : { [card]: place(seat) }, hold: 0.8 }];
    }
    case 'CardSwapped':
      return [{ view: shown, from: { [event.card]: place(event.seat) }, sound: 'reveal', hold: 0.8 }];
    case 'SpecialsRevealed':
    case 'CardChosen':
    case 'SpecialProposed':
    case 'ProposalAgreed':
    case 'ProposalDeclined':
    case 'ProposalWithdrawn':
    case 'SeatPassed':
    case 'SpecialRemoved':
    case 'PointsCounted':
    case 'MatchEnded':
      return [];
  }
}
