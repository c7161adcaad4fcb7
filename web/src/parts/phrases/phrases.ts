/** What can be said with one tap. The server knows the codes; the words are those of the reader's language. */
import type { ChatSaid, SayPhrase } from '$lib/types';
import { texts } from './texts';

export type Phrase = SayPhrase['phrase'];

export const REACTIONS = [
  'clap',
  'laugh',
  'wow',
  'cry',
  'angry',
  'sleepy',
] as const satisfies readonly Phrase[];
export type Reaction = (typeof REACTIONS)[number];

export const SENTENCES = [
  'hello',
  'good_luck',
  'well_played',
  'thanks',
  'close_call',
  'not_again',
  'sorry',
  'thinking',
  'good_game',
  'once_more',
] as const satisfies readonly Exclude<Phrase, Reaction>[];

export function reactionOf({ phrase }: Pick<ChatSaid, 'phrase'>): Reaction | null {
  return REACTIONS.find((one) => one === phrase) ?? null;
}

/** "Anna laughs", if that is what somebody at the table did. */
export function deed({ name, seat, phrase = null }: ChatSaid): string | null {
  const reaction = reactionOf({ phrase });
  const words = reaction && texts.word(`phrase.${reaction}`);
  return words && seat !== null ? `${name} ${words}.` : null;
}

/** A message in words: those of its code, or its own; a newer server may know more codes than this page. */
export function wording({ phrase, text }: Pick<ChatSaid, 'phrase' | 'text'>): string {
  const words = phrase ? texts.word(`phrase.${phrase}`) : null;
  return words === null ? text : reactionOf({ phrase: phrase ?? null }) ? `(${words})` : words;
}
