/** The events of 11 nimmt! in words. */
import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { ElevenEvent } from '$lib/types';
import type { Names } from '../game';
import { t } from './texts';

export function narrate(event: ElevenEvent, names: Names): string | null {
  const who = (seat: number): string => names[seat] ?? '';
  switch (event.type) {
    case 'HandsDealt':
      return t('log.dealt', { round: event.round, name: who(event.starter) });
    case 'PilesOpened':
      return t('log.opened', { cards: listed(event.cards.map(String)) });
    case 'CardLaid':
      return t('log.laid', { name: who(event.seat), card: event.card, on: event.on });
    case 'TurnEnded':
      return null;
    case 'PileTaken': {
      const cards = t('cards', { count: event.count });
      const told = t('log.taken', { name: who(event.seat), top: event.top, cards });
      return event.cards === null ? told : `${told} ${t('log.yours', { cards: event.cards.join(', ') })}`;
    }
    case 'BullCardGained':
      return event.giver === null
        ? t('log.bullCard', { name: who(event.seat) })
        : t('log.bullCardFrom', { name: who(event.seat), giver: who(event.giver) });
    case 'BullCardMissed':
      return t('log.noBullCard', { name: who(event.seat) });
    case 'HandsShown': {
      const seats = event.bulls.map((count, seat) => `${who(seat)} ${shared('bulls', { count })}`);
      return t('log.shown', { seats: seats.join(', ') });
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
