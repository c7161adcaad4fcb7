/** The events of Beat the Buffalo in words. */
import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { BuffaloEvent } from '$lib/types';
import type { Names } from '../game';
import { nameOf, told } from './specials';
import { t } from './texts';

const bulls = (count: number): string => shared('bulls', { count });

export function narrate(event: BuffaloEvent, names: Names): string | null {
  const who = (seat: number): string => nameOf(names, seat);
  switch (event.type) {
    case 'RoundDealt':
      return t('log.dealt', { cards: listed(event.rows.map((row) => String(row[0]))) });
    case 'SpecialsRevealed':
      return t('log.specials', { cards: listed(event.kinds.map((kind) => t(`kind.${kind}`))) });
    case 'CardChosen':
      return event.card === null ? null : t('log.chosen', { name: who(event.seat), card: event.card });
    case 'CardsRevealed':
      return t('log.revealed', {
        plays: event.plays.map(({ seat, card }) => `${who(seat)} ${card}`).join(', '),
      });
    case 'SpecialProposed':
      return t('log.proposed', { name: who(event.seat), use: told(event.use, names) });
    case 'ProposalAgreed':
      return t('log.agreed', { name: who(event.seat) });
    case 'ProposalDeclined':
      return t('log.declined', { name: who(event.seat) });
    case 'ProposalWithdrawn':
      return t('log.withdrawn', { name: who(event.seat) });
    case 'SpecialUsed':
      return t('log.used', { use: told(event.use, names) });
    case 'SpecialRemoved':
      return t('log.removed', { card: t(`kind.${event.kind}`), row: event.row });
    case 'CardTakenBack':
      return t('log.back', { name: who(event.seat), card: event.card });
    case 'CardSwapped':
      return t('log.swapped', { name: who(event.seat), card: event.card });
    case 'CardInserted':
    case 'CardPushed': {
      const { card, row } = event;
      const line = t(event.type === 'CardPushed' ? 'caption.pushed' : 'caption.inserted', { card, row });
      if (event.taken.length === 0) return line;
      return `${line} ${t('log.teamTakes', { cards: event.taken.join(', '), bulls: bulls(event.bulls) })}`;
    }
    case 'OrderChanged':
      return t('log.order', {
        plays: event.plays.map(({ seat, card }) => `${who(seat)} ${card}`).join(', '),
      });
    case 'CardPlaced': {
      const { card, row } = event;
      const params = {
        name: who(event.seat),
        card,
        row,
        cards: event.taken.join(', '),
        bulls: bulls(event.bulls),
      };
      return event.taken.length === 0 ? t('log.placed', params) : t('log.takes', params);
    }
    case 'PointsCounted':
      return t(event.doubled ? 'log.doubled' : 'log.points', { team: event.team, buffalo: event.buffalo });
    case 'MatchEnded':
      return event.outcome.winners.length > 0 ? t('log.won') : t('log.lost');
    case 'SeatPassed':
      return null;
  }
}
