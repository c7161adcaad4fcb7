/** What happens in 11 nimmt!, in steps that can be watched. */
import type { Scene } from '../game';
import { dealt, roundOver, routes, seatAt } from '../scenes';
import type { ElevenEvent, ElevenPileTaken, ElevenView } from '$lib/types';
import { t } from './texts';

type Step = Scene<ElevenView>;

function pileTaken({ seat, top, count, cards }: ElevenPileTaken, after: ElevenView): Step {
  const own = seat === after.seat;
  const hidden = (cards ?? []).filter((card) => card !== top);
  return {
    view: after,
    from: own ? routes(hidden, 'piles') : {},
    to: own ? {} : { [top]: seatAt(seat) },
    focus: { seat },
    sound: 'take',
    hold: 1.4,
    caption: t('caption.taken', { top, count }),
  };
}

export function scenes(before: ElevenView, event: ElevenEvent, after: ElevenView): readonly Step[] {
  switch (event.type) {
    case 'HandsDealt':
      return [dealt(after.hand, after)];
    case 'PilesOpened':
      return [{ ...dealt(event.cards, after), hold: 0.5 }];
    case 'CardLaid': {
      const { seat, card, pile, on } = event;
      return [
        {
          view: after,
          from: { [card]: seatAt(seat) },
          focus: { row: pile, card, seat },
          sound: 'place',
          hold: 0.7,
          caption: t('caption.laid', { card, on }),
        },
      ];
    }
    case 'PileTaken':
      return [pileTaken(event, after)];
    case 'BullCardGained':
      return [
        {
          view: after,
          focus: { seat: event.seat },
          sound: 'choose',
          hold: 0.8,
          caption: t('caption.bullCard'),
        },
      ];
    case 'RoundEnded':
      return [roundOver(before, event, after)];
    case 'TurnEnded':
    case 'BullCardMissed':
    case 'HandsShown':
    case 'MatchEnded':
      return [];
  }
}
