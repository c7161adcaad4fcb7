/** Every text exists in every language, says the same with the same placeholders, and is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageIds, type Catalogue, type Language, type Text } from '$lib/i18n.svelte';
import { NO_CONNECTION } from '$lib/texts';

const SRC = join(import.meta.dirname, '../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const catalogues = import.meta.glob<Catalogue>('../src/**/texts/*.ts', { eager: true, import: 'default' });
const areas = [...new Set(Object.keys(catalogues).map((path) => dirname(path)))];

const CATEGORIES = Object.fromEntries(
  languageIds.map((id) => [id, new Intl.PluralRules(id).resolvedOptions().pluralCategories]),
) as Record<Language, Intl.LDMLPluralRule[]>;

function catalogue(area: string, language: Language): Catalogue {
  return catalogues[`${area}/${language}.ts`] ?? {};
}

function forms(text: Text): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

/** What code may use an area: a game's folder its own texts, everything else the shared ones. */
function codeOf(area: string): string {
  const game = /games\/(\w+)\/texts$/.exec(area)?.[1];
  return files
    .filter((name) => /\.(svelte|ts)$/.test(name) && !/\/texts\//.test(name))
    .filter((name) => (game ? name.startsWith(`games/${game}/`) : true))
    .map((name) => readFileSync(join(SRC, name), 'utf8'))
    .join('\n');
}

/** Names that data decides on: variants, options and levels come from the server. */
const BY_DATA = /^(variant|option|choice|level|error|remark)\./;

describe.each(areas)('%s', (area) => {
  const english = catalogue(area, 'en');
  const keys = Object.keys(english);

  it.each(languageIds)('has all texts in %s and no others', (language) => {
    expect(Object.keys(catalogue(area, language)).sort()).toEqual([...keys].sort());
  });

  it.each(languageIds)('has the plural forms that %s needs', (language) => {
    for (const [key, text] of Object.entries(catalogue(area, language)))
      if (typeof text !== 'string')
        expect(Object.keys(text).sort(), key).toEqual([...CATEGORIES[language]].sort());
  });

  it.each(languageIds)('has the same placeholders in %s', (language) => {
    for (const [key, text] of Object.entries(catalogue(area, language)))
      for (const form of forms(text))
        expect(placeholders(form), key).toEqual(placeholders(forms(english[key]!)[0]!));
  });

  it.each(languageIds)('has no empty text in %s', (language) => {
    for (const [key, text] of Object.entries(catalogue(area, language)))
      for (const form of forms(text)) expect(form.trim(), key).not.toBe('');
  });

  it('has no text that nobody uses', () => {
    const code = codeOf(area);
    const prefixes = [...code.matchAll(/`([\w.-]+\.)\$\{/g)].map((match) => match[1]!);
    const unused = keys.filter(
      (key) =>
        !BY_DATA.test(key) &&
        !code.includes(`'${key}'`) &&
        !code.includes(`"${key}"`) &&
        !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});

describe('refusals', () => {
  /** The page sends JSON, does only what can be done at an address, and has no tokens. */
  const NEVER_HERE = ['not_json', 'method_not_allowed', 'bad_token', 'token_expired'];
  /** What the page says when there is no answer at all, or one about a game that it does not know. */
  const OURS = ['offline', 'unknown_game'];
  const documented = readFileSync(join(SRC, '../../docs/errors.md'), 'utf8').split(
    '## What the server answers',
  )[1]!;
  const codes = [...documented.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]!);
  const texts = Object.keys(catalogue('../src/lib/texts', 'en')).flatMap((key) =>
    key.startsWith('error.') ? [key.slice('error.'.length)] : [],
  );

  it('are all said in the language that is spoken', () => {
    const met = codes.filter((code) => !NEVER_HERE.includes(code));
    expect(met.length).toBeGreaterThan(40);
    expect([...texts].sort()).toEqual([...new Set([...met, ...OURS])].sort());
  });
});

it.each(languageIds)('the words for when there are no texts are the same in %s', (language) => {
  expect(NO_CONNECTION[language]).toBe(catalogue('../src/lib/texts', language)['offline']);
});
