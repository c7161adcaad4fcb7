import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isWaiting, patiently } from '$lib/loading.svelte';

const browser = new EventTarget();
const reload = vi.fn();
let online: boolean;
let age: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('performance', { now: () => age });
  vi.stubGlobal('fetch', async () => {
    if (!online) throw new TypeError('away');
    return { ok: true };
  });
  online = true;
  age = 60_000;
  reload.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const away = (): Promise<never> => Promise.reject(new TypeError('away'));

describe('a part of the page', () => {
  it('that is there is there at once', async () => {
    expect(await patiently(async () => 'part')).toBe('part');
    expect(isWaiting()).toBe(false);
  });

  it('comes when the connection is back', async () => {
    online = false;
    const load = vi.fn(async () => (online ? 'part' : away()));
    const part = patiently(load);
    await vi.advanceTimersByTimeAsync(5000);
    expect(isWaiting()).toBe(true);
    expect(load).toHaveBeenCalledTimes(1); // some browsers remember every failure
    online = true;
    browser.dispatchEvent(new Event('online'));
    expect(await part).toBe('part');
    expect(isWaiting()).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it('that a server that is there does not have any more needs a new page', async () => {
    void patiently(away);
    await vi.advanceTimersByTimeAsync(10);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('that a new page does not have either is only tried again', async () => {
    age = 5000;
    const load = vi.fn(away);
    void patiently(load);
    await vi.advanceTimersByTimeAsync(5000);
    expect(load.mock.calls.length).toBeGreaterThan(2);
    expect(reload).not.toHaveBeenCalled();
  });
});
