/** What happens in X nimmt!, in steps that can be watched. */
import type { Scene } from '../game';
import { dealt, laid, revealed, roundOver, routes, seatAt } from '../scenes';
import type { CardPlaced, XCardKept, XEvent, XView } from '$lib/types';
import { t } from './texts';

type Step = Scene<XView>;

function captionOf({ card, row, rule }: CardPlaced): string {
  if (rule === 'smallest-difference') return t('caption.smallest-difference', { card, row });
  return rule === 'full-row' ? t('caption.full-row', { card, row }) : t('caption.too-low', { card, row });
}

function placed(before: XView, event: CardPlaced, after: XView): readonly Step[] {
  const { seat, row, taken, bulls } = event;
  const caption = captionOf(event);
  const lying = laid(before, event, after, caption, 0.5);
  if (taken.length === 0) return [lying];
  // The cards stay on the table until one of them is kept.
  return [
    lying,
    { view: after, focus: { row, seat, gain: { seat, bulls } }, sound: 'take', hold: 1.2, caption },
  ];
}

function kept({ seat, card, discarded, to_hand }: XCardKept, after: XView): Step {
  const gone = seat === after.seat ? discarded : [...discarded, ...to_hand];
  return {
    view: after,
    to: routes(gone, seatAt(seat)),
    focus: { seat, card },
    sound: 'place',
    hold: 1,
    caption: t(discarded.length > 0 ? 'caption.broken' : 'caption.kept', { card }),
  };
}

export function scenes(before: XView, event: XEvent, after: XView): readonly Step[] {
  switch (event.type) {
    case 'RoundDealt':
      return [dealt([...event.rows.flat(), ...after.hand], after)];
    case 'CardsRevealed':
      return [revealed(event.plays, after, t('caption.revealed'))];
    case 'CardPlaced':
      return placed(before, event, after);
    case 'CardKept':
      return [kept(event, after)];
    case 'RoundEnded':
      return [roundOver(before, event, after)];
    case 'HandsCounted':
    case 'CardChosen':
    case 'MatchEnded':
      return [];
  }
}
