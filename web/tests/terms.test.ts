import { beforeAll, describe, expect, it } from 'vitest';
import { gameWords, type Wordy } from '$games/index';
import { duration, speak } from '$lib/i18n.svelte';
import { tempoText, termsText } from '$lib/terms';
import { shared } from '$lib/texts';
import type { GameInfo, OptionInfo, TableInfo, VariantInfo } from '$lib/types';

const option = (name: string, kind: string, value: unknown): OptionInfo => ({
  name,
  kind,
  default: value,
  description: '',
  choices: [],
  least: null,
  most: null,
  optional: false,
});
const variant = (id: string, options: VariantInfo['options']): VariantInfo => ({
  id,
  options,
  name: id,
  summary: '',
  max_seats: 10,
});
const game = (id: string, variants: VariantInfo[], options: OptionInfo[]): GameInfo => ({
  id,
  variants,
  options,
  name: id,
  summary: '',
  min_seats: 2,
  max_seats: 10,
  rules: {},
  decisions: {},
  minutes: 10,
});

const SIX = game(
  'six',
  [
    variant('basic', {}),
    variant('draft', { draft: true }),
    variant('draft-2007', { draft: true, large_draft: true, more_than_target: true }),
    variant('cow', { fan: ['cow'] }),
  ],
  [
    option('draft', 'flag', false),
    option('large_draft', 'flag', false),
    option('fan', 'choices', []),
    option('target', 'number', 66),
    option('more_than_target', 'flag', false),
    option('rounds', 'number', null),
  ],
);
const ELEVEN = game('eleven', [variant('basic', {})], [option('starter', 'number', 0)]);
const NO_CLOCK: TableInfo['tempo'] = { kind: 'none' };

describe('the terms of a table', () => {
  let six: Wordy;
  let eleven: Wordy;
  beforeAll(async () => {
    await speak('en');
    await shared.ready();
    [six, eleven] = await Promise.all([gameWords('six'), gameWords('eleven')]);
  });

  it.each([
    [{}, 'Basic game'],
    [{ draft: false, fan: [], target: 66, rounds: null }, 'Basic game'],
    [{ fan: ['cow'], target: 20 }, 'Jumping cow · Bulls that end the match: 20'],
    [{ fan: ['cow', 'twist'] }, 'Basic game · Fan cards: Jumping cow and Twisted numbers'],
    [{ draft: true, large_draft: true }, 'Tactical draft · Draft for up to ten'],
    [{ draft: true, large_draft: true, more_than_target: true }, 'Tactical draft, 2007 edition'],
  ])('%j', (options, words) => {
    expect(termsText({ game: 'six', options, tempo: NO_CLOCK }, SIX, six)).toBe(`${words} · No clock`);
  });

  it('count seats from 1, and name no variant where there is only one', () => {
    const terms = { game: 'eleven', options: { starter: 1 }, tempo: NO_CLOCK };
    expect(termsText(terms, ELEVEN, eleven)).toBe('First seat: 2 · No clock');
  });

  it.each([
    ['en', '15 seconds for each decision', '24 hours for each decision', '60s'],
    ['de', '15 Sekunden je Entscheidung', '24 Stunden je Entscheidung', '60 Sek.'],
    ['pl', '15 sekund na decyzję', '24 godziny na decyzję', '60 s'],
    ['ru', '15 секунд на решение', '24 часа на решение', '60 с'],
  ] as const)('tell the time in %s', async (language, live, turns, short) => {
    await speak(language);
    const plain = (text: string): string => text.replaceAll(/\s/g, ' ');
    expect(plain(tempoText({ kind: 'live', seconds: 15 }))).toBe(live);
    expect(plain(tempoText({ kind: 'turns', hours: 24 }))).toBe(turns);
    expect(plain(duration(60, 'second', 'narrow'))).toBe(short);
    await speak('en');
  });
});
