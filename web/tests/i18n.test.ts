import { describe, expect, it, vi } from 'vitest';
import { Area, browserLanguage, format, language, pluralForm, speak } from '$lib/i18n.svelte';
import ru from '$lib/texts/ru';

describe('texts', () => {
  it('fill in what they are given', () => {
    expect(format('{name} takes row {row}.', { name: 'Anna', row: 3 }, 'en')).toBe('Anna takes row 3.');
  });

  it('leave unknown placeholders to be seen', () => {
    expect(format('{name} and {other}', { name: 'Anna' }, 'en')).toBe('Anna and {other}');
  });

  it.each([
    [1, '{count} бык'],
    [3, '{count} быка'],
    [5, '{count} быков'],
    [11, '{count} быков'],
    [21, '{count} бык'],
  ])('choose the Russian plural for %i', (count, form) => {
    expect(pluralForm(ru.bulls, count, 'ru')).toBe(form);
  });
});

describe('the language', () => {
  it('is the first of the browser’s that we speak', () => {
    expect(browserLanguage(['fr-FR', 'pl', 'en'])).toBe('pl');
    expect(browserLanguage(['de-AT'])).toBe('de');
    expect(browserLanguage(['ja'])).toBe('en');
  });
});

describe('an area that becomes ready while another language is fetched', () => {
  /** An area whose texts come when the test says so. */
  function late(): { area: Area<'word'>; arrive: (language: string) => void } {
    const waiting: Record<string, () => void> = {};
    const loader = (language: string) => () =>
      new Promise((resolve) => (waiting[language] = () => resolve({ default: { word: language } })));
    const loaders = { './texts/en.ts': loader('en'), './texts/de.ts': loader('de') };
    return { area: new Area<'word'>(loaders), arrive: (language) => waiting[language]!() };
  }

  it('changes with the others', async () => {
    await speak('en');
    const first = late();
    const firstReady = first.area.ready();
    await vi.waitFor(() => first.arrive('en'));
    await firstReady;
    const spoken = speak('de');
    const second = late();
    const secondReady = second.area.ready();
    await vi.waitFor(() => second.arrive('en'));
    await secondReady;
    await vi.waitFor(() => first.arrive('de'));
    await vi.waitFor(() => second.arrive('de'));
    await spoken;
    expect([language(), first.area.t('word'), second.area.t('word')]).toEqual(['de', 'de', 'de']);
  });
});
