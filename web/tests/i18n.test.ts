import { describe, expect, it } from 'vitest';
import { browserLanguage, format, pluralForm } from '$lib/i18n.svelte';
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
