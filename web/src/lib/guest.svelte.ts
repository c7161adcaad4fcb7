/** Who sits in front of the screen. */
import { api, Refusal } from './api';
import { t } from './texts';
import type { Me } from './types';

const state = $state({
  me: null as Me | null,
  asked: false,
  unreachable: false,
  banned: null as Refusal | null,
});

export function me(): Me | null {
  return state.me;
}

/** Do we know by now whether the server knows us? */
export function isKnown(): boolean {
  return state.asked;
}

/** Whoever runs the server does not want us there: why, if so. */
export function ban(): Refusal | null {
  return state.banned;
}

/** We could not even ask. */
export function isCutOff(): boolean {
  return state.unreachable;
}

export async function lookUp(): Promise<void> {
  try {
    state.me = await api.me();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) {
      state.unreachable = true;
      state.banned = error instanceof Refusal && error.code === 'banned' ? error : null;
      throw error;
    }
    state.me = null;
  }
  state.asked = true;
  state.unreachable = false;
  state.banned = null;
}

/** For those who have not thought of a name. */
export function suggestedName(): string {
  const names = t('names').split(', ');
  return names[Math.floor(Math.random() * names.length)] ?? '';
}

export async function comeIn(name: string): Promise<void> {
  state.me = state.me ? await api.rename(name) : await api.welcome(name);
  state.asked = true;
}

/** Be nobody but here; with the first word after it the server knows that we have the new cookie. */
export async function logOutElsewhere(): Promise<void> {
  await api.logOutElsewhere();
  await lookUp();
}

export async function beForgotten(): Promise<void> {
  await api.deleteMe();
  state.me = null;
}

export async function claim(code: string): Promise<void> {
  state.me = await api.claim(code);
  state.asked = true;
}
