/** What happens in X nimmt!, in steps that can be watched. The view that the server sends afterwards has the last word. */
import type { Scene } from '../game';
import type { CardPlaced, RoundEnded, XCardKept, XEvent, XTable, XView } from '$lib/types';
import { t } from './texts';

type Step = Scene<XView>;

function on(view: XView, change: Partial<XTable>): XView {
  return { ...view, table: { ...view.table, ...change } };
}

function at<T>(values: readonly T[], index: number, value: T): readonly T[] {
  return values.map((old, place) => (place === index ? value : old));
}

function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

function placed(view: XView, event: CardPlaced): readonly Step[] {
  const { seat, card, row, taken, bulls } = event;
  const table = view.table;
  const queue = table.queue.filter((play) => play.card !== card);
  const from = { [card]: `seat-${seat}` };
  const joined = on(view, { queue, rows: at(table.rows, row - 1, [...(table.rows[row - 1] ?? []), card]) });
  if (taken.length === 0) {
    const caption = t('caption.smallest-difference', { card, row });
    return [{ view: joined, from, focus: { row, card }, sound: 'place', hold: 0.5, caption }];
  }
  const caption =
    event.rule === 'full-row' ? t('caption.full-row', { card, row }) : t('caption.too-low', { card, row });
  const after = on(view, { queue, rows: at(table.rows, row - 1, [card]), taken: { seat, cards: taken } });
  return [
    { view: joined, from, focus: { row, card }, sound: 'place', hold: 1.4, caption },
    { view: after, focus: { row, seat, gain: { seat, bulls } }, sound: 'take', hold: 1.2, caption },
  ];
}

function kept(view: XView, event: XCardKept): readonly Step[] {
  const { seat, card, discarded, to_hand } = event;
  const table = view.table;
  const own = seat === view.seat;
  const after = on(view, {
    taken: null,
    x_rows: at(table.x_rows, seat, event.x_row),
    x_piles: at(table.x_piles, seat, [...(table.x_piles[seat] ?? []), ...discarded]),
  });
  const hand = own ? [...view.hand, ...to_hand].sort((a, b) => a - b) : view.hand;
  const sizes = at(view.hand_sizes, seat, (view.hand_sizes[seat] ?? 0) + to_hand.length);
  const gone = own ? discarded : [...discarded, ...to_hand];
  return [
    {
      view: { ...after, hand, hand_sizes: sizes },
      to: routes(gone, `seat-${seat}`),
      focus: { seat, card },
      sound: 'place',
      hold: 1,
      caption: t(discarded.length > 0 ? 'caption.broken' : 'caption.kept', { card }),
    },
  ];
}

function roundEnded(view: XView, event: RoundEnded): readonly Step[] {
  return [{ view: on(view, { scores: [...view.table.scores, event.points] }), hold: 0, interlude: event }];
}

export function scenes(view: XView, event: XEvent): readonly Step[] {
  switch (event.type) {
    case 'RoundDealt': {
      const hand = (view.seat === null ? null : event.hands[view.seat]) ?? [];
      const none = event.hands.map(() => []);
      const fresh = on(view, {
        rows: event.rows,
        queue: [],
        taken: null,
        round: event.round,
        phase: 'choose',
        x_rows: none,
        x_piles: none,
        known: none,
      });
      const shown = { ...fresh, hand, choice: null, hand_sizes: event.hands.map(() => 8) };
      const from = routes([...event.rows.flat(), ...hand], 'deck');
      return [{ view: shown, from, sound: 'deal', hold: 0.6 }];
    }
    case 'CardsRevealed': {
      const own = event.plays.find((play) => play.seat === view.seat)?.card;
      const shown = {
        ...on(view, { phase: 'row', queue: event.plays }),
        hand: view.hand.filter((card) => card !== own),
        choice: null,
        hand_sizes: view.hand_sizes.map((size) => size - 1),
      };
      const from = Object.fromEntries(event.plays.map((play) => [play.card, `seat-${play.seat}`]));
      return [{ view: shown, from, sound: 'reveal', hold: 1.6, caption: t('caption.revealed') }];
    }
    case 'CardPlaced':
      return placed(view, event);
    case 'CardKept':
      return kept(view, event);
    case 'RoundEnded':
      return roundEnded(view, event);
    case 'HandsCounted':
    case 'CardChosen':
    case 'MatchEnded':
      return [];
  }
}
