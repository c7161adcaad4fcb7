import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untilDone } from '$lib/patience';

/** As much of a browser as is needed. */
const page = Object.assign(new EventTarget(), { hidden: false });
const browser = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('trying until it works', () => {
  it('waits ever longer, and ends when it worked', async () => {
    const answers = [false, false, true];
    const attempt = vi.fn(async () => answers.shift() ?? true);
    untilDone(attempt);
    await vi.advanceTimersByTimeAsync(999);
    expect(attempt).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(attempt).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(attempt).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(100_000);
    browser.dispatchEvent(new Event('online'));
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('hurries when the connection is back', async () => {
    const attempt = vi.fn(() => Promise.reject(new Error('away')));
    const stop = untilDone(attempt);
    await vi.advanceTimersByTimeAsync(10);
    browser.dispatchEvent(new Event('online'));
    expect(attempt).toHaveBeenCalledTimes(2);
    stop();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(attempt).toHaveBeenCalledTimes(2);
  });
});
