/** What happens in Baron Oxx, in steps that can be watched. The view that the server sends afterwards has the last word. */
import type { Scene } from '../game';
import type { BaronCardPlaced, BaronEvent, BaronTable, BaronView } from '$lib/types';
import { t } from './texts';

type Step = Scene<BaronView>;

function on(view: BaronView, change: Partial<BaronTable>): BaronView {
  return { ...view, table: { ...view.table, ...change } };
}

function at<T>(values: readonly T[], index: number, value: T): readonly T[] {
  return values.map((old, place) => (place === index ? value : old));
}

function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

function caption(event: BaronCardPlaced): string {
  const { card, row } = event;
  if (event.rule === 'sixth-card') return t('caption.sixth-card', { card, row });
  if (event.rule === 'six-bulls') return t('caption.six-bulls', { card, row });
  return event.rule === 'no-colour'
    ? t('caption.no-colour', { card, row })
    : t('caption.colour', { card, row });
}

function placed(view: BaronView, event: BaronCardPlaced): readonly Step[] {
  const { seat, card, row, taken, bulls } = event;
  const table = view.table;
  const queue = table.queue.filter((play) => play.card !== card);
  const from = { [card]: `seat-${seat}` };
  const joined = on(view, { queue, rows: at(table.rows, row - 1, [...(table.rows[row - 1] ?? []), card]) });
  const told = caption(event);
  if (taken.length === 0)
    return [{ view: joined, from, focus: { row, card }, sound: 'place', hold: 0.6, caption: told }];
  const after = on(view, {
    queue,
    rows: at(table.rows, row - 1, [card]),
    bulls: at(table.bulls, seat, (table.bulls[seat] ?? 0) + bulls),
    piles: at(table.piles, seat, [...(table.piles[seat] ?? []), ...taken]),
  });
  return [
    { view: joined, from, focus: { row, card }, sound: 'place', hold: 1.4, caption: told },
    {
      view: after,
      to: routes(taken, `seat-${seat}`),
      focus: { row, seat, gain: { seat, bulls } },
      sound: 'take',
      hold: 1.8,
      caption: told,
    },
  ];
}

export function scenes(view: BaronView, event: BaronEvent): readonly Step[] {
  const table = view.table;
  switch (event.type) {
    case 'RoundDealt': {
      const hand = (view.seat === null ? null : event.hands[view.seat]) ?? [];
      const none = event.hands.map(() => []);
      const fresh = on(view, {
        rows: event.rows,
        queue: [],
        round: event.round,
        phase: 'choose',
        bulls: event.hands.map(() => 0),
        piles: none,
        returned: none,
        known: none,
        left: [],
      });
      const shown = { ...fresh, hand, choice: null, hand_sizes: event.hands.map(() => 4) };
      return [
        { view: shown, from: routes([...event.rows.flat(), ...hand], 'deck'), sound: 'deal', hold: 0.6 },
      ];
    }
    case 'CardsRevealed': {
      const own = event.plays.find((play) => play.seat === view.seat)?.card;
      const shown = {
        ...on(view, { phase: 'row', queue: event.plays }),
        hand: view.hand.filter((card) => card !== own),
        choice: null,
        hand_sizes: view.hand_sizes.map((size) => Math.max(0, size - 1)),
      };
      const from = Object.fromEntries(event.plays.map((play) => [play.card, `seat-${play.seat}`]));
      return [{ view: shown, from, sound: 'reveal', hold: 1.6, caption: t('caption.revealed') }];
    }
    case 'CardPlaced':
      return placed(view, event);
    case 'CardReturned':
      return [
        {
          view: on(view, { queue: table.queue.filter((play) => play.card !== event.card) }),
          to: { [event.card]: `seat-${event.seat}` },
          focus: { seat: event.seat },
          sound: 'place',
          hold: 1,
          caption: t('caption.returned', { card: event.card }),
        },
      ];
    case 'CardsDrawn': {
      const drawn = (view.seat === null ? null : event.drawn[view.seat]) ?? [];
      const hand = [...view.hand, ...drawn].sort((a, b) => a - b);
      return [{ view: { ...view, hand }, from: routes(drawn, 'deck'), sound: 'deal', hold: 0.4 }];
    }
    case 'RoundEnded':
      return [{ view: on(view, { scores: [...table.scores, event.points] }), hold: 0, interlude: event }];
    case 'CardChosen':
    case 'StoodStill':
    case 'LeftCounted':
    case 'MatchEnded':
      return [];
  }
}
