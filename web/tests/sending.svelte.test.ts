import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '$lib/api';
import { Sending } from '$lib/sending.svelte';

const page = Object.assign(new EventTarget(), { hidden: false });
const browser = new EventTarget();
const offline = new Refusal('offline', '', 0);

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

/** A server that gives these answers, one after the other. */
function start(...answers: (Refusal | null)[]) {
  const sending = new Sending<string>();
  const send = vi.fn(async () => {
    const answer = answers.shift() ?? null;
    if (answer) throw answer;
  });
  const refused = vi.fn();
  sending.start('play 3', send, refused);
  return { sending, send, refused };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a decision on its way', () => {
  it('is there until the server has it', async () => {
    const { sending, send } = start();
    expect([sending.action, sending.isHeldUp]).toEqual(['play 3', false]);
    await settle();
    expect([sending.action, send.mock.calls.length]).toEqual([null, 1]);
  });

  it('waits for a connection, and is then sent again', async () => {
    const { sending, send, refused } = start(offline, new Refusal('unavailable', '', 503));
    await settle();
    expect([sending.action, sending.isHeldUp]).toEqual(['play 3', true]);
    sending.hurry();
    await settle();
    expect([sending.action, sending.isHeldUp, send.mock.calls.length]).toEqual(['play 3', true, 2]);
    browser.dispatchEvent(new Event('online'));
    await settle();
    expect([sending.action, sending.isHeldUp, send.mock.calls.length]).toEqual([null, false, 3]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect([send.mock.calls.length, refused.mock.calls]).toEqual([3, []]);
  });

  it('is refused once, and it is known whether that was late', async () => {
    const stale = new Refusal('stale_decision', '', 409);
    const { sending, refused } = start(offline, stale);
    await settle();
    sending.hurry();
    await settle();
    expect([sending.action, refused.mock.calls]).toEqual([null, [[stale, true]]]);
    const other = start(stale);
    await settle();
    expect(other.refused.mock.calls).toEqual([[stale, false]]);
  });

  it('is not sent twice at once', async () => {
    const sending = new Sending<string>();
    let answer: (() => void) | undefined;
    const send = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(offline)
      .mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    sending.start('play 3', send, vi.fn());
    await settle();
    sending.hurry();
    sending.hurry();
    browser.dispatchEvent(new Event('online'));
    await settle();
    expect(send).toHaveBeenCalledTimes(2);
    answer!();
    await settle();
    expect(sending.action).toBeNull();
  });

  it('can be taken back, and does not disturb the next one', async () => {
    const { sending, send } = start(offline);
    await settle();
    sending.takeBack();
    expect([sending.action, sending.isHeldUp]).toEqual([null, false]);
    sending.hurry();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(send).toHaveBeenCalledTimes(1);

    let late: ((error: Error) => void) | undefined;
    sending.start('play 4', () => new Promise((_, reject) => (late = reject)), vi.fn());
    sending.takeBack();
    sending.start('play 5', () => new Promise(() => undefined), vi.fn());
    late!(offline);
    await settle();
    expect([sending.action, sending.isHeldUp]).toEqual(['play 5', false]);
  });
});
