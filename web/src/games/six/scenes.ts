/** What happens in 6 nimmt!, in steps that can be watched. */
import type { Scene } from '../game';
import { dealt, laid, on, revealed, roundOver, seatAt, taken } from '../scenes';
import type { CardPlaced, SixCowJumped, SixEvent, SixView } from '$lib/types';
import { t } from './texts';

type Step = Scene<SixView>;

/** While cards are placed it is still their turn, even if the next choice follows from the last of them. */
function placing(view: SixView): SixView {
  return on(view, { phase: 'row' });
}

function captionOf({ card, row, rule }: CardPlaced): string {
  if (rule === 'smallest-difference') return t('caption.smallest-difference', { card, row });
  return rule === 'full-row' ? t('caption.full-row', { card, row }) : t('caption.too-low', { card, row });
}

function placed(before: SixView, event: CardPlaced, after: SixView): readonly Step[] {
  const caption = captionOf(event);
  const lying = laid(before, event, after, caption, 0.5);
  return event.taken.length === 0 ? [lying] : [lying, taken(event, after, caption)];
}

function cowJumped(before: SixView, event: SixCowJumped, after: SixView): readonly Step[] {
  const { row, kept } = event;
  const caption = t('caption.cow', { row });
  const landed = on(before, { markers: after.table.markers });
  const jump: Step = { view: landed, focus: { row }, sound: 'place', caption };
  return kept === null ? [jump] : [jump, taken(event, after, caption)];
}

export function scenes(before: SixView, event: SixEvent, after: SixView): readonly Step[] {
  switch (event.type) {
    case 'RoundDealt':
      return [dealt([...event.rows.flat(), ...after.hand], after)];
    case 'CardsRevealed':
      return [revealed(event.plays, after, t('caption.revealed'))];
    case 'CardPlaced':
      return placed(before, event, placing(after));
    case 'CowJumped':
      return cowJumped(placing(before), event, placing(after));
    case 'MarkerMoved': {
      const { row, fan } = event;
      const caption = t(`caption.${fan === 'even-odd' ? 'even-odd' : 'mountain'}`, { row });
      return [{ view: placing(after), focus: { row }, hold: 0.8, caption }];
    }
    case 'MarkersLaid':
      return [{ view: after, hold: 0.4 }];
    case 'CardDrafted': {
      const { seat, card } = event;
      const to = seat === after.seat ? {} : { [card]: seatAt(seat) };
      return [{ view: after, to, focus: { seat }, sound: 'choose', hold: 0.3 }];
    }
    case 'RowsStarted':
      return [{ view: after, sound: 'deal', hold: 0.8 }];
    case 'RoundEnded':
      return [roundOver(placing(before), event, after)];
    case 'CardChosen':
    case 'DraftBegun':
    case 'MatchEnded':
      return [];
  }
}
