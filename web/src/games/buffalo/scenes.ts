/** What happens in Beat the Buffalo, in steps that can be watched. The view that the server sends has the last word. */
import type { Scene } from '../game';
import type { BuffaloCardPlaced, BuffaloEvent, BuffaloTable, BuffaloView } from '$lib/types';
import { BUFFALO } from './specials';
import { t } from './texts';

type Step = Scene<BuffaloView>;

function on(view: BuffaloView, change: Partial<BuffaloTable>): BuffaloView {
  return { ...view, table: { ...view.table, ...change } };
}

function at<T>(values: readonly T[], index: number, value: T): readonly T[] {
  return values.map((old, place) => (place === index ? value : old));
}

function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

const place = (seat: number): string => (seat === BUFFALO ? 'buffalo' : `seat-${seat}`);

function taken(view: BuffaloView, cards: readonly number[], bulls: number, seat: number): BuffaloView {
  const table = view.table;
  const all = [...table.taken, ...cards];
  return seat === BUFFALO
    ? on(view, { taken: all, buffalo_bulls: table.buffalo_bulls + bulls })
    : on(view, { taken: all, bulls: table.bulls + bulls, pile: [...table.pile, ...cards] });
}

function gain(seat: number, bulls: number): { seat: number; bulls: number } | undefined {
  return seat === BUFFALO ? undefined : { seat, bulls };
}

function placed(view: BuffaloView, event: BuffaloCardPlaced): readonly Step[] {
  const { seat, card, row, bulls } = event;
  const table = view.table;
  const queue = table.queue.filter((play) => play.card !== card);
  const from = { [card]: place(seat) };
  const joined = on(view, { queue, rows: at(table.rows, row - 1, [...(table.rows[row - 1] ?? []), card]) });
  if (event.taken.length === 0) {
    const caption = t('caption.placed', { card, row });
    return [{ view: joined, from, focus: { row, card }, sound: 'place', hold: 0.7, caption }];
  }
  const caption = t(seat === BUFFALO ? 'caption.buffaloTakes' : 'caption.takes', { card, row });
  const after = taken(on(view, { queue, rows: at(table.rows, row - 1, [card]) }), event.taken, bulls, seat);
  const won = gain(seat, bulls);
  return [
    { view: joined, from, focus: { row, card }, sound: 'place', hold: 1.4, caption },
    {
      view: after,
      to: routes(event.taken, place(seat)),
      focus: won ? { row, gain: won } : { row },
      sound: 'take',
      hold: 1.8,
      caption,
    },
  ];
}

export function scenes(view: BuffaloView, event: BuffaloEvent): readonly Step[] {
  const table = view.table;
  switch (event.type) {
    case 'RoundDealt': {
      const hand = (view.seat === null ? null : event.hands[view.seat]) ?? [];
      const shown = {
        ...on(view, { rows: event.rows, queue: [], phase: 'choose', turn: 1 }),
        hand,
        choice: null,
        hand_sizes: event.hands.map(() => 10),
        buffalo_size: 10,
      };
      return [
        { view: shown, from: routes([...event.rows.flat(), ...hand], 'deck'), sound: 'deal', hold: 0.6 },
      ];
    }
    case 'CardsRevealed': {
      const own = event.plays.find((play) => play.seat === view.seat)?.card;
      const shown = {
        ...on(view, { phase: 'row', queue: event.plays, window: null }),
        hand: view.hand.filter((card) => card !== own),
        choice: null,
        hand_sizes: view.hand_sizes.map((size) => size - 1),
        buffalo_size: view.buffalo_size - 1,
      };
      const from = Object.fromEntries(event.plays.map((play) => [play.card, place(play.seat)]));
      return [{ view: shown, from, sound: 'reveal', hold: 1.6, caption: t('caption.revealed') }];
    }
    case 'CardPlaced':
      return placed(view, event);
    case 'CardInserted':
    case 'CardPushed': {
      const rows = table.rows.map((cards, index) => {
        const left = cards.filter((card) => card !== event.card);
        if (index !== event.row - 1) return left;
        return event.kept === null ? [...left, event.card].sort((a, b) => a - b) : [event.kept];
      });
      const queue = table.queue.filter((play) => play.card !== event.card);
      const after = taken(on(view, { rows, queue }), event.taken, event.bulls, 0);
      return [
        {
          view: after,
          to: routes(event.taken, 'team'),
          focus: { row: event.row, card: event.card },
          sound: 'place',
          hold: 1.2,
          caption: t(event.type === 'CardPushed' ? 'caption.pushed' : 'caption.inserted', {
            card: event.card,
            row: event.row,
          }),
        },
      ];
    }
    case 'OrderChanged':
      return [
        { view: on(view, { queue: event.plays }), sound: 'choose', hold: 1, caption: t('caption.order') },
      ];
    case 'SpecialUsed':
      return [
        { view: on(view, { window: null }), sound: 'choose', hold: 0.6, caption: t('caption.special') },
      ];
    case 'CardTakenBack': {
      const own = event.seat === view.seat;
      const after = on(view, { queue: table.queue.filter((play) => play.card !== event.card) });
      const hand = own ? [...view.hand, event.card].sort((a, b) => a - b) : view.hand;
      return [{ view: { ...after, hand }, to: own ? {} : { [event.card]: place(event.seat) }, hold: 0.8 }];
    }
    case 'CardSwapped':
      return [
        {
          view: {
            ...on(view, { queue: [{ seat: event.seat, card: event.card }, ...table.queue] }),
            hand: view.hand.filter((card) => card !== event.card),
          },
          from: { [event.card]: place(event.seat) },
          sound: 'reveal',
          hold: 0.8,
        },
      ];
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
