/** What happens, told to screen readers; and short messages that everybody sees for a moment. */
import { untrack } from 'svelte';

const KEPT = 30;
const SHOWN = 6000;

interface Line {
  readonly id: number;
  readonly text: string;
}

let counter = 0;
export const told: Line[] = $state([]);
export const toasts: Line[] = $state([]);
let dialogs: readonly string[] = $state.raw([]);

/** The dialog that lies in front of everything, if one is open. */
export function front(): string | undefined {
  return dialogs.at(-1);
}

/** Puts a dialog in front; returns how to take it away. */
export function putInFront(dialog: string): () => void {
  untrack(() => (dialogs = [...dialogs, dialog]));
  return () => untrack(() => (dialogs = dialogs.filter((other) => other !== dialog)));
}

export function announce(text: string): void {
  if (!text) return;
  told.push({ id: ++counter, text });
  if (told.length > KEPT) told.splice(0, told.length - KEPT);
}

/** Show a message, and tell it. */
export function toast(text: string): void {
  announce(text);
  const line = { id: ++counter, text };
  toasts.push(line);
  setTimeout(() => dismiss(line.id), SHOWN);
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((line) => line.id === id);
  if (index >= 0) toasts.splice(index, 1);
}
