/** Links for people at other machines. */
import { api } from './api';
import { BASE } from './base';

/** Names by which every machine calls itself. */
const ITSELF = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function isOnlyHere(url: string): boolean {
  return ITSELF.test(new URL(url).hostname);
}

/** The address of the lobby, without the slash at its end. */
export function home(): string {
  return location.origin + BASE;
}

/** Where others open this page: an address that means the machine itself would lead them to their own. */
export async function homeForOthers(): Promise<string> {
  if (!isOnlyHere(home())) return home();
  const { url } = await api.address().catch(() => ({ url: null }));
  return url ?? home();
}
