/** Which puzzles were solved, and on how many days in a row: kept in this browser, as it is nobody else's business. */
const PLACE = 'nimmt.puzzles';
const DAY = 86_400_000;

interface Kept {
  /** Days, by UTC, whose puzzle was solved on that day. */
  readonly days: readonly string[];
  /** Whether the first answer was right, by the puzzle's id. */
  readonly answers: Readonly<Record<string, boolean>>;
  /** The last puzzle that was practised, by game and difficulty. */
  readonly places: Readonly<Record<string, string>>;
}

function read(): Kept {
  const nothing: Kept = { days: [], answers: {}, places: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Kept> | null;
    return { ...nothing, ...kept };
  } catch {
    return nothing;
  }
}

let known: Kept = $state.raw(read());

function write(changed: Partial<Kept>): void {
  known = { ...known, ...changed };
  try {
    localStorage.setItem(PLACE, JSON.stringify(known));
  } catch {
    // Then it is remembered until the page is closed.
  }
}

export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Until today or, as today is not over yet, until yesterday. */
export function streakOf(days: readonly string[], now: number): number {
  const solved = new Set(days);
  const last = solved.has(dateOf(now)) ? now : now - DAY;
  let length = 0;
  while (solved.has(dateOf(last - length * DAY))) length++;
  return length;
}

export const streak = (now = Date.now()): number => streakOf(known.days, now);
export const isSolvedOn = (day: string): boolean => known.days.includes(day);

/** Whether the first answer was right; null if there was none. */
export function answered(id: string): boolean | null {
  return known.answers[id] ?? null;
}

/** The first answer counts. */
export function noteAnswer(id: string, isRight: boolean): void {
  if (answered(id) === null) write({ answers: { ...known.answers, [id]: isRight } });
}

/** The puzzle of a day was solved; days that are over do not count any more. */
export function noteDay(day: string, now = Date.now()): void {
  if (day === dateOf(now) && !isSolvedOn(day)) write({ days: [...known.days, day] });
}

export const placeIn = (practice: string): string | null => known.places[practice] ?? null;
export function notePlace(practice: string, id: string): void {
  write({ places: { ...known.places, [practice]: id } });
}
