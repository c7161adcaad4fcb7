/** What happens in 11 nimmt!, in steps that can be watched. The view that the server sends afterwards has the last word. */
import type { Scene } from '../game';
import type { ElevenEvent, ElevenPileTaken, ElevenTable, ElevenView } from '$lib/types';
import { t } from './texts';

type Step = Scene<ElevenView>;

function on(view: ElevenView, change: Partial<ElevenTable>): ElevenView {
  return { ...view, table: { ...view.table, ...change } };
}

function plus(values: readonly number[], seat: number, more: number): readonly number[] {
  return values.map((value, index) => (index === seat ? value + more : value));
}

function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

function pileTaken(view: ElevenView, event: ElevenPileTaken): readonly Step[] {
  const { seat, pile, top, count } = event;
  const own = seat === view.seat;
  const after = on(view, {
    tops: view.table.tops.filter((_, index) => index !== pile - 1),
    hand_sizes: plus(view.table.hand_sizes, seat, count),
  });
  const hand = own ? [...view.hand, ...(event.cards ?? [])].sort((a, b) => a - b) : view.hand;
  const from = own
    ? routes(
        (event.cards ?? []).filter((card) => card !== top),
        `row-${pile}`,
      )
    : {};
  return [
    {
      view: { ...after, hand },
      from,
      to: own ? {} : { [top]: `seat-${seat}` },
      focus: { seat },
      sound: 'take',
      hold: 1.4,
      caption: t('caption.taken', { pile, count }),
    },
  ];
}

export function scenes(view: ElevenView, event: ElevenEvent): readonly Step[] {
  const table = view.table;
  switch (event.type) {
    case 'HandsDealt': {
      const hand = (view.seat === null ? null : event.hands[view.seat]) ?? [];
      const fresh = on(view, {
        round: event.round,
        starter: event.starter,
        turn: event.starter,
        tops: [],
        phase: 'turn',
        hand_sizes: event.hands.map(() => 10),
        bull_cards: event.hands.map(() => 0),
        supply: 10,
        laid: [],
        shown: [],
      });
      return [{ view: { ...fresh, hand }, from: routes(hand, 'deck'), sound: 'deal', hold: 0.6 }];
    }
    case 'PilesOpened':
      return [
        {
          view: on(view, {
            tops: [...table.tops, ...event.cards],
            draw_left: Math.max(0, table.draw_left - event.cards.length),
          }),
          from: routes(event.cards, 'deck'),
          sound: 'deal',
          hold: 0.5,
        },
      ];
    case 'CardLaid': {
      const { seat, card, pile } = event;
      const after = on(view, {
        tops: table.tops.map((top, index) => (index === pile - 1 ? card : top)),
        hand_sizes: plus(table.hand_sizes, seat, -1),
      });
      return [
        {
          view: { ...after, hand: view.hand.filter((held) => held !== card) },
          from: { [card]: `seat-${seat}` },
          focus: { row: pile, card, seat },
          sound: 'place',
          hold: 0.7,
          caption: t('caption.laid', { card, pile }),
        },
      ];
    }
    case 'PileTaken':
      return pileTaken(view, event);
    case 'BullCardGained': {
      let owned = plus(table.bull_cards, event.seat, 1);
      if (event.giver !== null) owned = plus(owned, event.giver, -1);
      const supply = event.giver === null ? table.supply - 1 : table.supply;
      return [
        {
          view: on(view, { bull_cards: owned, supply }),
          focus: { seat: event.seat },
          sound: 'choose',
          hold: 0.8,
          caption: t('caption.bullCard'),
        },
      ];
    }
    case 'RoundEnded':
      return [{ view: on(view, { scores: [...table.scores, event.points] }), hold: 0, interlude: event }];
    case 'TurnEnded':
    case 'BullCardMissed':
    case 'HandsShown':
    case 'MatchEnded':
      return [];
  }
}
