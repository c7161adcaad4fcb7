/**
 * Texts in four languages. A catalogue is a flat object of texts; `{name}` is filled in, and a text with plural
 * forms is chosen by the parameter `count` with the browser's own plural rules. Areas (the shared texts, each game's
 * texts) load the language they need and change together.
 */
import { to } from './base';
import { patiently } from './loading.svelte';

export const LANGUAGES = { en: 'English', de: 'Deutsch', pl: 'Polski', ru: 'Русский' } as const;
export type Language = keyof typeof LANGUAGES;
export const languageIds = Object.keys(LANGUAGES) as Language[];

export type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Readonly<Record<string, Text>>;
export type Params = Readonly<Record<string, string | number>>;
/** What `import.meta.glob('./texts/*.ts')` gives: a loader for each file of a language. */
export type Loaders = Record<string, () => Promise<unknown>>;

const state = $state({ language: 'en' as Language });
const areas = new Set<Pick<Area<never>, 'fetch' | 'use'>>();
const rules = new Map<Language, Intl.PluralRules>();
const lists = new Map<Language, Intl.ListFormat>();
const durations = new Map<string, Intl.NumberFormat>();

export function language(): Language {
  return state.language;
}

export function isLanguage(word: string): word is Language {
  return word in LANGUAGES;
}

/** The first language of the browser that we speak. */
export function browserLanguage(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage);
  return found ?? 'en';
}

export function pluralForm(text: Text, count: number, lang: Language): string {
  if (typeof text === 'string') return text;
  let rule = rules.get(lang);
  if (!rule) rules.set(lang, (rule = new Intl.PluralRules(lang)));
  return text[rule.select(count)] ?? text.other ?? '';
}

export function format(text: Text | undefined, params: Params, lang: Language): string {
  if (text === undefined) return '';
  const form = pluralForm(text, Number(params['count'] ?? 0), lang);
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** One part of the texts that is loaded as a whole. */
export class Area<K extends string> {
  #texts: Catalogue = $state.raw({});
  readonly #loaders: Loaders;

  constructor(loaders: Loaders) {
    this.#loaders = loaders;
  }

  async fetch(lang: Language): Promise<Catalogue> {
    const load = this.#loaders[`./texts/${lang}.ts`];
    return load ? ((await patiently(load)) as { default: Catalogue }).default : {};
  }

  use(texts: Catalogue): void {
    this.#texts = texts;
  }

  /** Fetch the texts of this area in the language that is spoken now. */
  async ready(): Promise<this> {
    while (!areas.has(this)) {
      const lang = state.language;
      this.#texts = await this.fetch(lang);
      // Somebody may have changed the language meanwhile.
      if (lang === state.language) areas.add(this);
    }
    return this;
  }

  readonly t = (key: K, params: Params = {}): string =>
    format(this.#texts[key], params, state.language) || key;

  has(key: string): key is K {
    return key in this.#texts;
  }

  /** A text whose name is put together from data; null if there is none. */
  word(key: string): string | null {
    return this.has(key) ? this.t(key) : null;
  }
}

let latest: Language = 'en';

/** Speak another language: everything changes at once, as soon as all texts are there. */
export async function speak(lang: Language): Promise<void> {
  latest = lang;
  const texts = new Map<Pick<Area<never>, 'fetch' | 'use'>, Catalogue>();
  // Areas that become ready meanwhile, in the language before, change with the others.
  for (let left = [...areas]; left.length > 0; left = [...areas].filter((area) => !texts.has(area))) {
    await Promise.all(left.map(async (area) => texts.set(area, await area.fetch(lang))));
    if (latest !== lang) return;
  }
  texts.forEach((catalogue, area) => area.use(catalogue));
  state.language = lang;
  if (typeof document === 'undefined') return;
  document.documentElement.lang = lang;
  // An app that is installed from here has shortcuts in this language.
  const name = lang === 'en' ? 'manifest' : `manifest.${lang}`;
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', to(`/${name}.webmanifest`));
}

/** "Anna, Ben and Cem" in the language that is spoken. */
export function listed(words: readonly string[]): string {
  let list = lists.get(state.language);
  if (!list) lists.set(state.language, (list = new Intl.ListFormat(state.language, { type: 'conjunction' })));
  return list.format(words);
}

/** "30 seconds"; with little room "30s". */
export function duration(
  value: number,
  unit: 'second' | 'minute' | 'hour',
  unitDisplay: 'long' | 'narrow' = 'long',
): string {
  const key = `${state.language} ${unit} ${unitDisplay}`;
  let units = durations.get(key);
  if (!units)
    durations.set(key, (units = new Intl.NumberFormat(state.language, { style: 'unit', unit, unitDisplay })));
  return units.format(value);
}

export function when(ms: number): string {
  return new Intl.DateTimeFormat(state.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}
