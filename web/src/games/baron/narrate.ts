/** The events of Baron Oxx in words. */
import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { BaronEvent } from '$lib/types';
import type { Names } from '../game';
import { t } from './texts';

const bulls = (count: number): string => shared('bulls', { count });

export function narrate(event: BaronEvent, names: Names): string | null {
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
      const { card, row } = event;
      const cards = event.taken.join(', ');
      const colours = listed(event.colours.map((colour) => t(`colour.${colour}`)));
      const params = { name: who(event.seat), card, row, cards, bulls: bulls(event.bulls), colours };
      if (event.taken.length === 0) return t('log.placed', params);
      if (event.rule === 'six-bulls') return t('log.six-bulls', params);
      return t(event.rule === 'sixth-card' ? 'log.sixth-card' : 'log.no-colour', params);
    }
    case 'CardReturned':
      return t('log.returned', { name: who(event.seat), card: event.card });
    case 'CardsDrawn':
      return t('log.drawn');
    case 'StoodStill':
      return t('log.still');
    case 'LeftCounted': {
      const seats = event.bulls.map((count, seat) => `${who(seat)} ${bulls(count)}`);
      return t('log.left', { seats: seats.join(', ') });
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
