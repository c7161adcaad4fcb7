/** Words are found whatever their case and accents, and marked without spoiling the page. */
import { describe, expect, it } from 'vitest';
import { contains, marked, pieces, plain, wordsOf } from '../src/rules/search';

describe('searching the rules', () => {
  it('finds words in any case, with and without accents', () => {
    expect(contains('Zasada 3: pięć miejsc', wordsOf('PIEC miejsc'))).toBe(true);
    expect(contains('Шестая карта берёт', wordsOf('берет'))).toBe(true);
    expect(contains('Byk wołu', wordsOf('wolu'))).toBe(true);
    expect(contains('Fünf Plätze', wordsOf('plaetze'))).toBe(false);
  });

  it('wants all words', () => {
    expect(contains('The sixth card takes the row', wordsOf('row sixth'))).toBe(true);
    expect(contains('The sixth card takes the row', wordsOf('row seventh'))).toBe(false);
  });

  it('marks text and leaves tags and entities alone', () => {
    expect(marked('<p>A strong <strong>card</strong> &amp; more</p>', wordsOf('strong'))).toBe(
      '<p>A <mark>strong</mark> <strong>card</strong> &amp; more</p>',
    );
    expect(marked('Tom &amp; Amp', wordsOf('amp'))).toBe('Tom &amp; <mark>Amp</mark>');
    expect(marked('<b>x</b>', [])).toBe('<b>x</b>');
  });

  it('marks words that lie over each other once', () => {
    expect(marked('takes', wordsOf('tak akes'))).toBe('<mark>takes</mark>');
  });

  it('keeps every letter of what it cuts', () => {
    const text = 'Ёлка 🐂 łoś';
    expect(
      pieces(text, wordsOf('los'))
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
    expect(pieces(text, wordsOf('los')).at(-1)).toEqual({ text: 'łoś', isHit: true });
  });

  it('reads no tags', () => {
    expect(contains(plain('<table><td>55</td></table>'), wordsOf('table'))).toBe(false);
  });
});
