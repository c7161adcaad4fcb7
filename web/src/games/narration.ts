/** Events in words, by what `tellings.ts` and a game's `narration.ts` say about them. */
import { listed, type Params } from '$lib/i18n.svelte';
import { t as shared, type SharedKey } from '$lib/texts';
import type { Names } from './game';
import { COMMON, type Narration, type Param, type Said, type Telling } from './tellings';

type Speak = (key: never, params: Params) => string;

/** A missing value, false and an empty list are nothing; 0 is a seat. */
function isThere(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && !(Array.isArray(value) && !value.length);
}

class Teller {
  constructor(
    readonly narration: Narration,
    readonly speak: Speak,
    readonly event: unknown,
    readonly names: Names,
  ) {}

  #name(seat: number): string {
    const { nobody } = this.narration;
    return seat < 0 && nobody ? this.speak(nobody as never, {}) : (this.names[seat] ?? '');
  }

  #at(path: string, place: number | null): unknown {
    const walk = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
      if (step === undefined || value === null || value === undefined) return value;
      if (!Array.isArray(value)) return walk((value as Record<string, unknown>)[step], rest);
      if (step !== '*') return walk(value.at(Number(step)), rest);
      return place === null ? value.map((item) => walk(item, rest)) : walk(value[place], rest);
    };
    return walk(this.event, path.split('.'));
  }

  #path(said: string, place: number | null): string {
    const [path = '', how] = said.split('|');
    const value = path === '*' ? place : this.#at(path, place);
    if (!isThere(value)) return '';
    const items = (Array.isArray(value) ? value : [value]) as readonly (number | string)[];
    switch (how) {
      case 'name':
        return this.#name(Number(value));
      case 'names':
        return listed(items.map((seat) => this.#name(Number(seat))));
      case 'listed':
        return listed(items.map(String));
      case 'commas':
        return items.join(', ');
      case 'bulls':
        return shared('bulls', { count: Number(value) });
      case 'bracketed':
        return `(${String(value)})`;
      case 'digits': // the other way round: 7 is 07, and so 70
        return String(Number([...String(value).padStart(2, '0')].reverse().join('')));
      default:
        return String(value);
    }
  }

  #param(param: Param, place: number | null): string {
    if (typeof param === 'string') return this.#path(param, place);
    if (Array.isArray(param))
      return (param as readonly Param[])
        .map((part) => this.#param(part, place))
        .filter(Boolean)
        .join(' ');
    if ('each' in param) {
      const items = this.#at(param.each, null) as readonly unknown[] | undefined;
      const said = (items ?? []).map((_, index) => this.#param(param.say, index));
      return param.join === 'listed' ? listed(said) : said.join(param.join ?? ', ');
    }
    return this.#said(param as Said, place);
  }

  #holds(when: Said['when'], place: number | null): boolean {
    return Object.entries(when ?? {}).every(([path, wanted]) => {
      const value = this.#at(path, place);
      if (typeof wanted === 'boolean') return isThere(value) === wanted;
      return wanted.startsWith('!') ? value !== wanted.slice(1) : value === wanted;
    });
  }

  #said(said: Said, place: number | null): string {
    if (!this.#holds(said.when, place)) return '';
    const params = Object.fromEntries(
      Object.entries(said.with ?? {}).map(([name, param]) => [name, this.#param(param, place)]),
    );
    const key = (said.text ?? said.shared ?? '').replace(/\{([^}]+)\}/g, (_, path: string) =>
      this.#path(path, place),
    );
    return said.shared === undefined ? this.speak(key as never, params) : shared(key as SharedKey, params);
  }

  tell(telling: Telling): string {
    return this.#param(telling, null);
  }
}

/** The function `narrate` of a game; null where nothing is said. */
export function narrator<E extends { readonly type: string }>(
  narration: Narration,
  speak: Speak,
): (event: E, names: Names) => string | null {
  const events: Narration['events'] = { ...COMMON, ...narration.events };
  return (event, names) => new Teller(narration, speak, event, names).tell(events[event.type] ?? []) || null;
}
