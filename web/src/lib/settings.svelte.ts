/** What people choose for themselves, kept in this browser and shared by its tabs. */
import { browserLanguage, isLanguage, speak, type Language } from './i18n.svelte';

export type Speed = 'slow' | 'normal' | 'fast' | 'instant';
export type Theme = 'auto' | 'light' | 'dark';
/** What the table is made of, and the backs of the cards with it. */
export const TABLES = ['felt', 'wood', 'night', 'linen'] as const;
export type TableLook = (typeof TABLES)[number];
export type Motion = 'auto' | 'full' | 'reduced';

export interface Settings {
  language: Language | 'auto';
  theme: Theme;
  table: TableLook;
  speed: Speed;
  motion: Motion;
  sound: boolean;
  volume: number;
  /** Show where a card would go and what it would cost. */
  preview: boolean;
  /** A chosen card is played only after a second tap. */
  confirm: boolean;
  /** Show which cards have been seen. */
  tracker: boolean;
  /** Say something about a rule when it applies for the first time. */
  remarks: boolean;
}

const KEY = 'nimmt.settings';
const DEFAULTS: Settings = {
  language: 'auto',
  theme: 'auto',
  table: 'felt',
  speed: 'normal',
  motion: 'auto',
  sound: true,
  volume: 0.5,
  preview: true,
  confirm: true,
  tracker: false,
  remarks: true,
};
const ALLOWED: { [K in keyof Settings]: (value: unknown) => boolean } = {
  language: (value) => value === 'auto' || (typeof value === 'string' && isLanguage(value)),
  theme: (value) => ['auto', 'light', 'dark'].includes(value as string),
  table: (value) => TABLES.includes(value as TableLook),
  speed: (value) => ['slow', 'normal', 'fast', 'instant'].includes(value as string),
  motion: (value) => ['auto', 'full', 'reduced'].includes(value as string),
  sound: (value) => typeof value === 'boolean',
  volume: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  preview: (value) => typeof value === 'boolean',
  confirm: (value) => typeof value === 'boolean',
  tracker: (value) => typeof value === 'boolean',
  remarks: (value) => typeof value === 'boolean',
};

/** What was stored, as far as it makes sense. */
export function readSettings(text: string | null): Settings {
  let stored: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (parsed && typeof parsed === 'object') stored = parsed as Record<string, unknown>;
  } catch {
    // Somebody else's text: the defaults will do.
  }
  const sound = Object.entries(stored).filter(
    ([key, value]) => key in ALLOWED && ALLOWED[key as keyof Settings](value),
  );
  return { ...DEFAULTS, ...Object.fromEntries(sound) };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // private windows may forbid it
  }
}

export const settings: Settings = $state(readSettings(typeof localStorage === 'undefined' ? null : stored()));
const media = $state({ dark: false, still: false });

export function isDark(): boolean {
  return settings.theme === 'dark' || (settings.theme === 'auto' && media.dark);
}

/** Nothing should fly about. */
export function isStill(): boolean {
  return settings.motion === 'reduced' || (settings.motion === 'auto' && media.still);
}

export function spoken(): Language {
  return settings.language === 'auto' ? browserLanguage(navigator.languages) : settings.language;
}

function watch(query: string, tell: (matches: boolean) => void): void {
  const list = matchMedia(query);
  tell(list.matches);
  list.addEventListener('change', () => tell(list.matches));
}

/** Keep the page, the storage and other tabs in step with the settings. */
export function keepSettings(): void {
  watch('(prefers-color-scheme: dark)', (matches) => (media.dark = matches));
  watch('(prefers-reduced-motion: reduce)', (matches) => (media.still = matches));
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(settings, readSettings(event.newValue));
  });
  $effect.root(() => {
    $effect(() => {
      const text = JSON.stringify(settings);
      try {
        if (text !== stored()) localStorage.setItem(KEY, text);
      } catch {
        // They hold for this visit then.
      }
    });
    $effect(() => {
      document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
      document.documentElement.dataset['table'] = settings.table;
      document.documentElement.dataset['motion'] = isStill() ? 'reduced' : 'full';
    });
    $effect(() => {
      void speak(spoken());
    });
  });
}
