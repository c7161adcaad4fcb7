/** Quiet hours, as the server counts them: minutes of the day, over midnight if the end is earlier. */
export interface Quiet {
  readonly start: number;
  readonly end: number;
}

export function isQuiet(quiet: Quiet | null, minute: number): boolean {
  if (!quiet) return false;
  const { start, end } = quiet;
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

export function minuteOf(date: Date): number {
  return 60 * date.getHours() + date.getMinutes();
}

/** "22:00", as an input for times has it. */
export function asTime(minute: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minute of "22:00"; null for anything else. */
export function fromTime(text: string): number | null {
  const found = /^(\d\d):(\d\d)$/.exec(text);
  if (!found) return null;
  const minute = 60 * Number(found[1]) + Number(found[2]);
  return minute < 24 * 60 ? minute : null;
}
