/** A game that this page has no folder for: its table is made from what the server says about it, in its words. */
import { Refusal } from '$lib/api';
import { offeredGames } from '$lib/terms';
import { t } from '$lib/texts';
import type { GameInfo } from '$lib/types';
import { defineGame, type GameModule } from './game';
import PlainTable from './PlainTable.svelte';
import { scores, spoken, type PlainView } from './reading';

interface AnyAction {
  readonly type: string;
}

interface AnyEvent {
  readonly type: string;
  readonly seat?: number;
  readonly card?: unknown;
}

async function infoOf(id: string): Promise<GameInfo> {
  const info = (await offeredGames()).find((game) => game.id === id);
  if (!info) throw new Refusal('unknown_game', `This server does not know the game ${id}.`, 404);
  return info;
}

export async function plainWords(id: string): Promise<GameModule['texts']> {
  const { variants, options } = await infoOf(id);
  const words = new Map<string, string>();
  for (const { id, name, summary } of variants) {
    words.set(`variant.${id}`, name);
    words.set(`variant.${id}.summary`, summary);
  }
  for (const { name, description } of options) {
    words.set(
      `option.${name}`,
      spoken(name).replace(/^./, (letter) => letter.toUpperCase()),
    );
    words.set(`option.${name}.hint`, description);
  }
  return { ready: () => Promise.resolve(), word: (key) => words.get(key) ?? null };
}

export async function plainGame(id: string): Promise<GameModule> {
  const texts = await plainWords(id);
  return defineGame<PlainView, AnyEvent, AnyAction>({
    texts,
    Table: PlainTable,
    // The server tells what happened. That somebody has chosen in secret is to be seen, and needs no words.
    narrate: ({ type, card }) => (type === 'CardChosen' && card === null ? null : ''),
    scenes: (_, { seat }, after) => [{ view: after, ...(seat === undefined ? {} : { focus: { seat } }) }],
    scores,
    progress: ({ table }) => (table.round ? t('scores.round', { round: table.round }) : ''),
  });
}
