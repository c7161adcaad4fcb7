import type { Refusal } from './api';
import { when } from './i18n.svelte';
import { shared, t } from './texts';

/** Why the server refused, in the language that is spoken. */
export function explain(refusal: Refusal): string {
  const wait = refusal.retryAfter ?? 0;
  if (refusal.code === 'banned' && wait) return t('banned.until', { when: when(Date.now() + 1000 * wait) });
  const key = `error.${refusal.code}`;
  return shared.has(key) ? t(key, { wait }) : refusal.message;
}
