/** Links for people at other machines. */
import { api } from './api';

/** Names by which every machine calls itself. */
const ITSELF = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function isOnlyHere(url: string): boolean {
  return ITSELF.test(new URL(url).hostname);
}

/** Where others open this page: an address that means the machine itself would lead them to their own. */
export async function originForOthers(): Promise<string> {
  if (!isOnlyHere(location.origin)) return location.origin;
  const { url } = await api.address().catch(() => ({ url: null }));
  return url ?? location.origin;
}
