import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOnlyHere, homeForOthers } from '$lib/address';

const FRIENDS = 'http://192.168.1.5:8666';

function stand(origin: string, answer: () => Response): void {
  vi.stubGlobal('location', new URL(origin));
  vi.stubGlobal('fetch', () => Promise.resolve(answer()));
}

describe('the address for others', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each(['http://localhost:8666', 'http://127.0.0.1:80', 'http://127.1.2.3', 'http://[::1]:8666'])(
    'is what the server says where the page is at %s',
    async (origin) => {
      stand(origin, () => Response.json({ url: FRIENDS }));
      expect(isOnlyHere(origin)).toBe(true);
      expect(await homeForOthers()).toBe(FRIENDS);
    },
  );

  it.each([FRIENDS, 'https://nimmt.example.org', 'http://localhost.example.org'])(
    'is the one of the page where it is at %s',
    async (origin) => {
      stand(origin, () => Response.json({ url: 'http://elsewhere' }));
      expect(await homeForOthers()).toBe(origin);
    },
  );

  it.each([Response.json({ url: null }), new Response('', { status: 404 })])(
    'is the one of the page if the server knows no other',
    async (answer) => {
      stand('http://localhost:8666', () => answer);
      expect(await homeForOthers()).toBe('http://localhost:8666');
    },
  );
});
