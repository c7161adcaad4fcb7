import type { Names } from '$games/game';
import { deed, wording } from '$parts/phrases/phrases';
import { t } from './texts';
import type { Note } from './types';

const AWAY = {
  left: 'note.awayLeft',
  time: 'note.missedMany',
  absent: 'note.awayAbsent',
} as const;

/** What happened at the table besides the game; empty if the events say it all. */
export function narrateNote(note: Note, names: Names): string {
  const who = (seat: number): string => names[seat] ?? '';
  switch (note.type) {
    case 'PlayerJoined':
      return t('note.joined', { name: note.name });
    case 'PlayerLeft':
      return t(note.removed ? 'note.removed' : 'note.left', { name: note.name });
    case 'BotJoined':
      return t('note.botJoined', { name: who(note.seat) });
    case 'BotLeft':
      return t('note.botLeft');
    case 'SeatsSwapped':
      return t('note.swapped', { one: who(note.one), other: who(note.other) });
    case 'MatchStarted':
      return t('note.started');
    case 'TimeRanOut':
      return t(note.away ? 'note.missedMany' : 'note.missed', { name: who(note.seat) });
    case 'PlayerAway':
      return t(AWAY[note.reason], { name: who(note.seat) });
    case 'PlayerBack':
      return t('note.back', { name: who(note.seat) });
    case 'StandInWanted':
      return t('note.standInWanted', { name: who(note.by), gone: who(note.seat) });
    case 'TakeoverAllowed':
      return t(note.allowed ? 'note.takeover' : 'note.noTakeover');
    case 'SeatTakenOver':
      return t('note.takenOver', { name: note.name });
    case 'ChatSaid': {
      const said = { name: note.name, text: wording(note) };
      return deed(note) ?? t(note.seat === null ? 'note.saidWatching' : 'note.said', said);
    }
    case 'ChatRemoved':
      return t('note.chatRemoved');
    case 'HintGiven':
      return t('note.hint', { name: who(note.seat) });
    case 'DecisionTakenBack':
      return t('note.takenBack', { name: who(note.seat) });
    case 'RematchOffered':
      return t('note.rematch');
    case 'TableClosed':
      return t('note.closed');
    case 'Contributed':
    case 'PaceSet':
    case 'Unlisted':
    case 'Decided':
      return '';
  }
}
