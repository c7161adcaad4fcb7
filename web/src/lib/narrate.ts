import type { Names } from '$games/game';
import { t } from './texts';
import type { Note } from './types';

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
    case 'PlayerAway':
      return t(note.reason === 'time' ? 'note.awayTime' : 'note.awayLeft', { name: who(note.seat) });
    case 'PlayerBack':
      return t('note.back', { name: who(note.seat) });
    case 'ChatSaid':
      return t('note.said', { name: note.name, text: note.text });
    case 'RematchOffered':
      return t('note.rematch');
    case 'TableClosed':
      return t('note.closed');
    case 'Decided':
      return '';
  }
}
