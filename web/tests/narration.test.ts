/** The page and the terminal tell the same of the same event: `tests/cli/test_languages.py` reads these cases too. */
import { describe, expect, it } from 'vitest';
import { speak, type Language } from '$lib/i18n.svelte';
import { shared } from '$lib/texts';
import cases from './narration.json';

interface Narrating {
  readonly narrate: (event: unknown, names: readonly string[]) => string | null;
}
interface Texts {
  readonly texts: { ready(): Promise<unknown> };
}
const narrating = import.meta.glob<Narrating>('../src/games/*/narrate.ts', { eager: true });
const texts = import.meta.glob<Texts>('../src/games/*/texts.ts', { eager: true });
const NAMES = ['Anna', 'Ben', 'Cem'];

describe.each(['de', 'pl', 'ru'] as const satisfies readonly Language[])('%s', (language) => {
  it('tells every event as the terminal does', async () => {
    await shared.ready();
    await Promise.all(Object.values(texts).map((area) => area.texts.ready()));
    await speak(language);
    for (const { game, event, said } of cases) {
      const { narrate } = narrating[`../src/games/${game}/narrate.ts`]!;
      expect(narrate(event, NAMES) ?? '', event.type).toBe(said[language]);
    }
  });
});
