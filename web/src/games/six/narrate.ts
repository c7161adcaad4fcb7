/** The events of 6 nimmt! in words. */
import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { SixEvent, SixMarkers } from '$lib/types';
import type { Names } from '../game';
import { twistedValue } from './cards';
import { t } from './texts';

const bulls = (count: number): string => shared('bulls', { count });

function laid(markers: SixMarkers): string {
  const told: string[] = [];
  if (markers.even_odd)
    told.push(
      t('log.even-odd', { row: markers.even_odd.row, parity: t(`parity.${markers.even_odd.parity}`) }),
    );
  if (markers.mountain) told.push(t('log.mountain', { row: markers.mountain.row }));
  if (markers.cow) told.push(t('log.cow', { row: markers.cow }));
  return told.join(' ');
}

export function narrate(event: SixEvent, names: Names): string | null {
  const who = (seat: number): string => names[seat] ?? '';
  switch (event.type) {
    case 'RoundDealt':
      return t('log.dealt', {
        round: event.round,
        cards: listed(event.rows.map((row) => String(row[0]))),
      });
    case 'DraftBegun':
      return t('log.draft', {
        round: event.round,
        highest: event.pool.at(-1) ?? 0,
        name: who(event.starter),
      });
    case 'CardDrafted':
      return t('log.drafted', { name: who(event.seat), card: event.card });
    case 'RowsStarted':
      return t('log.rows', { cards: listed(event.cards.map(String)) });
    case 'MarkersLaid':
      return laid(event.markers);
    case 'CardChosen':
      return event.play === null ? null : t('log.chosen', { name: who(event.seat), card: event.play.card });
    case 'CardsRevealed': {
      const plays = event.plays.map((play) => {
        const twist = play.twisted ? ` ${t('log.as', { value: twistedValue(play.card) })}` : '';
        return `${who(play.seat)} ${play.card}${twist}`;
      });
      return t('log.revealed', { plays: plays.join(', ') });
    }
    case 'CardPlaced': {
      const { card, row, rule } = event;
      const params = {
        name: who(event.seat),
        card,
        row,
        cards: event.taken.join(', '),
        bulls: bulls(event.bulls),
      };
      if (event.taken.length === 0) return t('log.placed', params);
      return t(rule === 'full-row' ? 'log.full-row' : 'log.too-low', params);
    }
    case 'CowJumped':
      if (event.kept === null) return t('log.cowJumped', { row: event.row });
      return t('log.cowTakes', {
        row: event.row,
        name: who(event.seat),
        cards: event.taken.join(', '),
        bulls: bulls(event.bulls),
        kept: event.kept,
      });
    case 'MarkerMoved':
      return event.fan === 'even-odd'
        ? t('log.even-odd', { row: event.row, parity: t(`parity.${event.shows as 'even' | 'odd'}`) })
        : t('log.mountain', { row: event.row });
    case 'RoundEnded': {
      const points = event.points.map((count, seat) => `${who(seat)} ${count} (${event.totals[seat]})`);
      return shared('log.roundEnded', { round: event.round, points: points.join(', ') });
    }
    case 'MatchEnded': {
      const { winners } = event.outcome;
      return shared(winners.length === 1 ? 'log.won' : 'log.shared', {
        names: listed(winners.map(who)),
      });
    }
  }
}
