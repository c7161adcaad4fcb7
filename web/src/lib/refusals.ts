import { Refusal } from './api';
import { when } from './i18n.svelte';
import { shared, t } from './texts';

/** Why the server refused, in the language that is spoken. */
export function explain(refusal: Refusal): string {
  const wait = refusal.retryAfter ?? 0;
  if (refusal.code === 'banned' && wait) return t('banned.until', { when: when(Date.now() + 1000 * wait) });
  const key = `error.${refusal.code}`;
  return shared.has(key) ? t(key, { wait }) : refusal.message;
}

/** The server was there and has answered: another try would bring the same. */
export function isAnswer(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status > 0 && error.status < 500;
}

/** Why something could not be fetched. */
export function whyNot(error: unknown): string {
  return isAnswer(error) ? explain(error) : t('offline');
}
