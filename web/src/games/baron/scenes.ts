/** What happens in Baron Oxx, in steps that can be watched. */
import type { Scene } from '../game';
import { dealt, laid, revealed, roundOver, routes, seatAt, taken } from '../scenes';
import type { BaronCardPlaced, BaronEvent, BaronView } from '$lib/types';
import { t } from './texts';

type Step = Scene<BaronView>;

function captionOf(event: BaronCardPlaced): string {
  const { card, row } = event;
  if (event.rule === 'sixth-card') return t('caption.sixth-card', { card, row });
  if (event.rule === 'six-bulls') return t('caption.six-bulls', { card, row });
  return event.rule === 'no-colour'
    ? t('caption.no-colour', { card, row })
    : t('caption.colour', { card, row });
}

function placed(before: BaronView, event: BaronCardPlaced, after: BaronView): readonly Step[] {
  const caption = captionOf(event);
  const lying = laid(before, event, after, caption, 0.6);
  return event.taken.length === 0 ? [lying] : [lying, taken(event, after, caption)];
}

export function scenes(before: BaronView, event: BaronEvent, after: BaronView): readonly Step[] {
  switch (event.type) {
    case 'RoundDealt':
      return [dealt([...event.rows.flat(), ...after.hand], after)];
    case 'CardsRevealed':
      return [revealed(event.plays, after, t('caption.revealed'))];
    case 'CardPlaced':
      return placed(before, event, after);
    case 'CardReturned':
      return [
        {
          view: after,
          to: { [event.card]: seatAt(event.seat) },
          focus: { seat: event.seat },
          sound: 'place',
          hold: 1,
          caption: t('caption.returned', { card: event.card }),
        },
      ];
    case 'CardsDrawn': {
      const drawn = (after.seat === null ? null : event.drawn[after.seat]) ?? [];
      return [{ view: after, from: routes(drawn, 'deck'), sound: 'deal', hold: 0.4 }];
    }
    case 'RoundEnded':
      return [roundOver(before, event, after)];
    case 'CardChosen':
    case 'StoodStill':
    case 'LeftCounted':
    case 'MatchEnded':
      return [];
  }
}
