/** What is played at a table, in a few words: the variant, what was changed of it, and the tempo. */
import { choiceText, learn, optionText, variantText, type Wordy } from '$games/index';
import { api } from './api';
import { duration, listed } from './i18n.svelte';
import { t } from './texts';
import type { GameInfo, OptionInfo, TableInfo, VariantInfo } from './types';

export type Terms = Pick<TableInfo, 'game' | 'options' | 'tempo'> & { readonly practice?: boolean };

let offered: Promise<readonly GameInfo[]> | null = null;

/** All games with their variants and options; asked for once. */
export function offeredGames(): Promise<readonly GameInfo[]> {
  offered ??= api.games().then(
    (games) => {
      learn(games);
      return games;
    },
    (error: unknown) => {
      offered = null;
      throw error;
    },
  );
  return offered;
}

/** Is its number a seat? People count seats from 1, the server from 0. */
export function isSeat(option: OptionInfo): boolean {
  return option.name === 'starter';
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The variant that says most about these options, and nothing else. */
function variantOf({ variants }: GameInfo, options: Terms['options']): VariantInfo | undefined {
  const fitting = variants.filter((variant) =>
    Object.entries(variant.options).every(([name, value]) => same(options[name], value)),
  );
  const size = (variant: VariantInfo): number => Object.keys(variant.options).length;
  return fitting.toSorted((one, other) => size(other) - size(one))[0];
}

function changed(words: Wordy, option: OptionInfo, value: unknown): string {
  const { name } = optionText(words, option.name);
  const choice = (item: string): string => choiceText(words, option.name, item);
  if (option.kind === 'number') return `${name}: ${Number(value) + Number(isSeat(option))}`;
  if (option.kind === 'choice') return `${name}: ${choice(String(value))}`;
  if (option.kind === 'choices') return `${name}: ${listed((value as readonly string[]).map(choice))}`;
  return name;
}

export function tempoText(tempo: Terms['tempo']): string {
  if (tempo.kind === 'none') return t('terms.none');
  const time = tempo.kind === 'live' ? duration(tempo.seconds, 'second') : duration(tempo.hours, 'hour');
  return t('terms.each', { time });
}

/** The variant, and what was changed of it; nothing where there is nothing to choose. */
export function rulesText(options: Terms['options'], info: GameInfo, words: Wordy): string {
  const variant = variantOf(info, options);
  const named =
    info.variants.length > 1 && variant ? [variantText(words, variant.id)?.name ?? variant.name] : [];
  const changes = info.options
    .filter(({ name }) => name in options && !(variant && name in variant.options))
    .filter((option) => !same(options[option.name], option.default))
    .map((option) => changed(words, option, options[option.name]));
  return [...named, ...changes].join(' · ');
}

export function termsText({ options, tempo, practice }: Terms, info: GameInfo, words: Wordy): string {
  const marked = practice ? t('practice') : '';
  return [marked, rulesText(options, info, words), tempoText(tempo)].filter(Boolean).join(' · ');
}
