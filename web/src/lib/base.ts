/**
 * Where this page lives: the server may share its host with others, as in https://example.org/nimmt/.
 * Inside the program paths begin with "/"; here they become addresses, and addresses become paths.
 */
function told(): string {
  // Without a page, in a test, everything is at the top.
  if (typeof document === 'undefined') return '/';
  return document.querySelector<HTMLMetaElement>('meta[name="nimmt-home"]')?.content ?? '/';
}

/** Nothing, or `/nimmt`. */
export const BASE = told().replace(/\/+$/, '');

/** The address of a place in the program, for links and requests. */
export function to(path: string): string {
  return BASE + path;
}

/** The place in the program that an address means; null if it is somewhere else on this host. */
export function placeOf(pathname: string, base = BASE): string | null {
  if (pathname === base) return '/';
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null;
}
