/** The events of X nimmt! in words. */
import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { XEvent } from '$lib/types';
import type { Names } from '../game';
import { t } from './texts';

const bulls = (count: number): string => shared('bulls', { count });

export function narrate(event: XEvent, names: Names): string | null {
  const who = (seat: number): string => names[seat] ?? '';
  switch (event.type) {
    case 'RoundDealt':
      return t('log.dealt', { round: event.round, cards: listed(event.rows.map((row) => String(row[0]))) });
    case 'CardChosen':
      return event.card === null ? null : t('log.chosen', { name: who(event.seat), card: event.card });
    case 'CardsRevealed':
      return t('log.revealed', {
        plays: event.plays.map(({ seat, card }) => `${who(seat)} ${card}`).join(', '),
      });
    case 'CardPlaced': {
      const { card, row, rule } = event;
      const cards = event.taken.join(', ');
      const params = { name: who(event.seat), card, row, cards, bulls: bulls(event.bulls) };
      if (event.taken.length === 0) return t('log.placed', params);
      return t(rule === 'full-row' ? 'log.full-row' : 'log.too-low', params);
    }
    case 'CardKept': {
      const told = [t('log.kept', { name: who(event.seat), card: event.card })];
      if (event.discarded.length > 0) told.push(t('log.broken', { cards: event.discarded.join(', ') }));
      if (event.to_hand.length > 0) told.push(t('log.toHand', { cards: event.to_hand.join(', ') }));
      return told.join(' ');
    }
    case 'HandsCounted': {
      const seats = event.hands.map((_, seat) => {
        const pile = bulls(event.in_x_pile[seat] ?? 0);
        return t('log.counted', { name: who(seat), hand: bulls(event.in_hand[seat] ?? 0), pile });
      });
      return seats.join(' ');
    }
    case 'RoundEnded': {
      const points = event.points.map((count, seat) => `${who(seat)} ${count} (${event.totals[seat]})`);
      return shared('log.roundEnded', { round: event.round, points: points.join(', ') });
    }
    case 'MatchEnded': {
      const { winners } = event.outcome;
      return shared(winners.length === 1 ? 'log.won' : 'log.shared', { names: listed(winners.map(who)) });
    }
  }
}
