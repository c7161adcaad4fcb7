/** What happens in 6 nimmt!, in steps that can be watched. The view that the server sends afterwards has the last word. */
import type { Scene } from '../game';
import type { CardPlaced, RoundEnded, SixCowJumped, SixEvent, SixTable, SixView } from '$lib/types';
import { t } from './texts';

type Step = Scene<SixView>;

function on(view: SixView, change: Partial<SixTable>): SixView {
  return { ...view, table: { ...view.table, ...change } };
}

function withRow(table: SixTable, row: number, cards: readonly number[]): SixTable['rows'] {
  return table.rows.map((old, index) => (index === row - 1 ? cards : old));
}

function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

function add(bulls: readonly number[], seat: number, more: number): readonly number[] {
  return bulls.map((count, index) => (index === seat ? count + more : count));
}

function placed(view: SixView, event: CardPlaced): readonly Step[] {
  const { seat, card, row, taken, bulls } = event;
  const table = view.table;
  const before = table.rows[row - 1] ?? [];
  const queue = table.queue.filter((play) => play.card !== card);
  const from = { [card]: `seat-${seat}` };
  const joined = on(view, { queue, rows: withRow(table, row, [...before, card]) });
  if (taken.length === 0)
    return [
      {
        view: joined,
        from,
        focus: { row, card },
        sound: 'place',
        hold: 0.5,
        caption: t('caption.smallest-difference', { card, row }),
      },
    ];
  const caption =
    event.rule === 'full-row' ? t('caption.full-row', { card, row }) : t('caption.too-low', { card, row });
  const after = on(view, {
    queue,
    rows: withRow(table, row, [card]),
    bulls: add(table.bulls, seat, bulls),
    taken: [...table.taken, ...taken],
  });
  return [
    { view: joined, from, focus: { row, card }, sound: 'place', hold: 1.4, caption },
    {
      view: after,
      to: routes(taken, `seat-${seat}`),
      focus: { row, seat, gain: { seat, bulls } },
      sound: 'take',
      hold: 1.8,
      caption,
    },
  ];
}

function cowJumped(view: SixView, event: SixCowJumped): readonly Step[] {
  const { seat, row, kept, taken, bulls } = event;
  const markers = { ...view.table.markers, cow: row };
  const landed = on(view, { markers });
  const caption = t('caption.cow', { row });
  if (kept === null) return [{ view: landed, focus: { row }, sound: 'place', caption }];
  const after = on(landed, {
    rows: withRow(view.table, row, [kept]),
    bulls: add(view.table.bulls, seat, bulls),
    taken: [...view.table.taken, ...taken],
  });
  return [
    { view: landed, focus: { row }, sound: 'place', caption },
    {
      view: after,
      to: routes(taken, `seat-${seat}`),
      focus: { row, seat, gain: { seat, bulls } },
      sound: 'take',
      hold: 1.8,
      caption,
    },
  ];
}

function roundEnded(view: SixView, event: RoundEnded): readonly Step[] {
  const after = on(view, {
    scores: [...view.table.scores, event.points],
    bulls: event.points.map(() => 0),
  });
  return [{ view: after, hold: 0, interlude: event }];
}

export function scenes(view: SixView, event: SixEvent): readonly Step[] {
  const table = view.table;
  switch (event.type) {
    case 'RoundDealt': {
      const hand = (view.seat === null ? null : event.hands[view.seat]) ?? [];
      const fresh = on(view, {
        rows: event.rows,
        queue: [],
        round: event.round,
        taken: [],
        phase: 'choose',
      });
      const sizes = event.hands.map(() => 10);
      const shown = { ...fresh, hand, pile: [], choice: null, hand_sizes: sizes };
      return [
        {
          view: shown,
          from: routes([...event.rows.flat(), ...hand], 'deck'),
          sound: 'deal',
          hold: 0.6,
        },
      ];
    }
    case 'CardsRevealed': {
      const own = event.plays.find((play) => play.seat === view.seat)?.card;
      const shown = {
        ...on(view, {
          phase: 'row',
          queue: event.plays,
          twists: table.twists.map(
            (has, seat) => has && !event.plays.some((p) => p.seat === seat && p.twisted),
          ),
        }),
        hand: view.hand.filter((card) => card !== own),
        choice: null,
        hand_sizes: view.hand_sizes.map((size) => size - 1),
      };
      const from = Object.fromEntries(event.plays.map((play) => [play.card, `seat-${play.seat}`]));
      return [{ view: shown, from, sound: 'reveal', hold: 1.6, caption: t('caption.revealed') }];
    }
    case 'CardPlaced':
      return placed(view, event);
    case 'CowJumped':
      return cowJumped(view, event);
    case 'MarkerMoved': {
      const { row, shows, fan } = event;
      const markers =
        fan === 'even-odd'
          ? { ...table.markers, even_odd: { row, parity: shows as 'even' | 'odd' } }
          : { ...table.markers, mountain: { row, arrows: shows as 'up' | 'down' } };
      return [
        {
          view: on(view, { markers }),
          focus: { row },
          hold: 0.8,
          caption: t(`caption.${fan === 'even-odd' ? 'even-odd' : 'mountain'}`, { row }),
        },
      ];
    }
    case 'MarkersLaid':
      return [{ view: on(view, { markers: event.markers }), hold: 0.4 }];
    case 'CardDrafted': {
      const own = event.seat === view.seat;
      const after = on(view, { pool: table.pool.filter((card) => card !== event.card) });
      const hand = own ? [...view.hand, event.card].sort((a, b) => a - b) : view.hand;
      const to = own ? {} : { [event.card]: `seat-${event.seat}` };
      return [{ view: { ...after, hand }, to, focus: { seat: event.seat }, sound: 'choose', hold: 0.3 }];
    }
    case 'RowsStarted':
      return [
        {
          view: on(view, { pool: [], rows: event.cards.map((card) => [card]), phase: 'choose' }),
          sound: 'deal',
          hold: 0.8,
        },
      ];
    case 'RoundEnded':
      return roundEnded(view, event);
    case 'CardChosen':
    case 'DraftBegun':
    case 'MatchEnded':
      return [];
  }
}
