import { describe, expect, it } from 'vitest';
import { bullsOn } from '$lib/cards';
import { parse } from '$lib/router.svelte';
import { readSettings } from '$lib/settings.svelte';
import { herd, numeral } from '$parts/drawing';

describe('cards', () => {
  it('carry 171 bulls in all', () => {
    expect(Array.from({ length: 104 }, (_, index) => bullsOn(index + 1)).reduce((a, b) => a + b)).toBe(171);
    expect([55, 66, 30, 15, 7].map(bullsOn)).toEqual([7, 5, 3, 2, 1]);
  });

  it('have numerals for every number', () => {
    expect(numeral(104).path.match(/M/g)).toHaveLength(3);
    expect(numeral(7).width).toBeLessThan(numeral(77).width);
  });

  it('have as many bulls in their band as they say', () => {
    for (const bulls of [1, 2, 3, 5, 7]) expect(herd(bulls).path.match(/M/g)).toHaveLength(bulls);
    expect(herd(0).path).toBe('');
  });
});

describe('addresses', () => {
  it.each([
    ['/', { screen: 'lobby' }],
    ['/new', { screen: 'new', id: '' }],
    ['/new/six', { screen: 'new', id: 'six' }],
    ['/carry', { screen: 'carry' }],
    ['/t/abc', { screen: 'table', id: 'abc' }],
    ['/t/abc/replay', { screen: 'replay', id: 'abc' }],
    ['/t/abc/review', { screen: 'review', id: 'abc' }],
    ['/t/abc/other', { screen: 'lost' }],
    ['/nothing', { screen: 'lost' }],
  ])('%s', (path, route) => {
    expect(parse(path)).toEqual(route);
  });
});

describe('settings', () => {
  it('ignore what makes no sense', () => {
    const settings = readSettings('{"speed": "warp", "theme": "dark", "volume": 7, "other": 1}');
    expect(settings).toMatchObject({ speed: 'normal', theme: 'dark', volume: 0.5 });
    expect(settings).not.toHaveProperty('other');
  });

  it.each(['', 'nonsense', 'null', '[]', '7'])('survive %j', (text) => {
    expect(readSettings(text).speed).toBe('normal');
  });
});
