import { shared } from './texts';

/** What a bot's level is called. Levels that have no words yet go by their own name. */
export function levelText(level: string): { name: string; hint: string } {
  const word = (key: string): string => shared.word(key) ?? '';
  return { name: word(`level.${level}`) || level, hint: word(`level.${level}.hint`) };
}

const SENSIBLE = ['club', 'casual', 'greedy'];

/** For people who have not chosen: a good game, neither hopeless nor boring. */
export function sensibleLevel(levels: readonly string[]): string {
  return SENSIBLE.find((level) => levels.includes(level)) ?? levels.at(-1) ?? '';
}
