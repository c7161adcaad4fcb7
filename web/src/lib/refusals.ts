import type { Refusal } from './api';
import { shared, t } from './texts';

/** Why the server refused, in the language that is spoken. */
export function explain(refusal: Refusal): string {
  const key = `error.${refusal.code}`;
  return shared.has(key) ? t(key, { wait: refusal.retryAfter ?? 0 }) : refusal.message;
}
