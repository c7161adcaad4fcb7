import { afterEach, describe, expect, it, vi } from 'vitest';

/** The modules of a page that was told where it lives. */
async function page(home: string | undefined): Promise<typeof import('$lib/base')> {
  vi.resetModules();
  vi.stubGlobal('document', { querySelector: () => (home === undefined ? null : { content: home }) });
  return await import('$lib/base');
}

describe('a page below a path', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    [undefined, '/t/x'],
    ['/', '/t/x'],
    ['/nimmt/', '/nimmt/t/x'],
    ['/games/nimmt/', '/games/nimmt/t/x'],
  ])('that lives at %s finds its places', async (home, address) => {
    const { placeOf, to } = await page(home);
    expect(to('/t/x')).toBe(address);
    expect(placeOf(address)).toBe('/t/x');
    expect(placeOf(to('/'))).toBe('/');
  });

  it('knows which places are not its own', async () => {
    const { placeOf } = await page('/nimmt/');
    expect(placeOf('/nimmt')).toBe('/');
    expect(['/', '/t/x', '/nimmtx', '/nimmtx/t/x', '/other/nimmt/'].map((path) => placeOf(path))).toEqual(
      Array(5).fill(null),
    );
  });

  it('sends links to the whole address', async () => {
    await page('/nimmt/');
    vi.stubGlobal('location', new URL('https://example.org/nimmt/t/x'));
    const { homeForOthers } = await import('$lib/address');
    expect(await homeForOthers()).toBe('https://example.org/nimmt');
  });
});
