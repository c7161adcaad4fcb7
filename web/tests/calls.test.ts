/** When somebody is called, and when not. */
import { describe, expect, it } from 'vitest';
import { mayOffer, NOT_NOW, readPreferences } from '$lib/calls/preferences.svelte';
import { asTime, fromTime, isQuiet } from '$lib/calls/quiet';
import { isOurTurn } from '$lib/turns.svelte';
import type { Situation } from '$lib/types';

const NIGHT = { start: 22 * 60, end: 7 * 60 };

describe('quiet hours', () => {
  it.each([
    [null, 0, false],
    [NIGHT, 21 * 60 + 59, false],
    [NIGHT, 22 * 60, true],
    [NIGHT, 0, true],
    [NIGHT, 7 * 60 - 1, true],
    [NIGHT, 7 * 60, false],
    [{ start: 60, end: 120 }, 90, true],
    [{ start: 60, end: 120 }, 120, false],
    [{ start: 60, end: 60 }, 60, false],
  ])('%o at minute %i: %s', (quiet, minute, expected) => {
    expect(isQuiet(quiet, minute)).toBe(expected);
  });

  it('are written as browsers write times', () => {
    expect([asTime(0), asTime(22 * 60 + 5)]).toEqual(['00:00', '22:05']);
    expect([fromTime('22:05'), fromTime(''), fromTime('99:00')]).toEqual([22 * 60 + 5, null, null]);
  });
});

describe('notifications', () => {
  const fresh = readPreferences(null);

  it('are offered to those who were not asked, and to nobody else', () => {
    const now = 1_800_000_000_000;
    expect(mayOffer(fresh, 'default', now)).toBe(true);
    expect(mayOffer(fresh, 'denied', now)).toBe(false);
    expect(mayOffer(fresh, 'granted', now)).toBe(false);
    expect(mayOffer(fresh, 'unsupported', now)).toBe(false);
    expect(mayOffer({ ...fresh, on: false }, 'default', now)).toBe(false);
    expect(mayOffer({ ...fresh, offer: null }, 'default', now)).toBe(false);
    expect(mayOffer({ ...fresh, offer: now + NOT_NOW }, 'default', now + NOT_NOW - 1)).toBe(false);
    expect(mayOffer({ ...fresh, offer: now + NOT_NOW }, 'default', now + NOT_NOW)).toBe(true);
  });

  it('are off until somebody wants them, and nonsense that was stored changes nothing', () => {
    expect(fresh).toEqual({ on: true, notify: false, vibrate: false, quiet: null, offer: 0 });
    const nonsense = '{"notify": 1, "quiet": {"start": -1, "end": 5}, "offer": "soon", "other": true}';
    expect(readPreferences(nonsense)).toEqual(fresh);
    expect(readPreferences('nonsense')).toEqual(fresh);
    expect(readPreferences('{"quiet": {"start": 1, "end": 2}, "offer": null}')).toEqual({
      ...fresh,
      quiet: { start: 1, end: 2 },
      offer: null,
    });
  });
});

describe('our turn', () => {
  const chair = { away: null } as unknown as Situation['chairs'][number];
  const situation = (changes: Partial<Situation>): Situation =>
    ({
      phase: 'playing',
      you: 0,
      waiting: [{ seat: 0 }],
      paused: false,
      chairs: [chair, chair],
      ...changes,
    }) as Situation;

  it.each<[string, Partial<Situation>, boolean]>([
    ['waited for', {}, true],
    ['others are', { waiting: [{ seat: 1 }] as unknown as Situation['waiting'] }, false],
    ['watching', { you: null }, false],
    ['over', { phase: 'over' }, false],
    ['all are away', { paused: true }, false],
    ['a bot plays for us', { chairs: [{ ...chair, away: 'left' }, chair] }, false],
    ['we missed some', { chairs: [{ ...chair, away: 'time' }, chair] }, true],
  ])('%s', (_, changes, expected) => {
    expect(isOurTurn(situation(changes))).toBe(expected);
  });
});
