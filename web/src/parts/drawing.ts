/** The shapes that cards are drawn with: our own bull and our own numerals, as paths. */

/** A bull's head, 32 × 32, in one colour. */
export const BULL =
  'M2.6 3.2C.9 9.4 3.6 14.2 9.4 15c.2 1 .4 2 .7 3-2.500-.9-5.300-.4-6.700 1.600 1.700 2.300 4.900 2.700 7.600 1.400.5 1.500.9 3 1.200 4.500.6 3 1.900 4.300 3.800 4.300s3.200-1.300 3.800-4.300c.3-1.500.7-3 1.200-4.500 2.700 1.300 5.900.9 7.600-1.400-1.400-2-4.200-2.500-6.700-1.600.3-1 .5-2 .7-3 5.800-.8 8.500-5.600 6.800-11.800-.9 3.900-3.700 6.300-7.600 6.500-1.400-1.300-3.200-1.900-4.800-1.900s-3.400.6-4.800 1.900C6.300 9.500 3.500 7.100 2.600 3.200z';
/** Eyes and nostrils, to be cut out where there is room for them. */
export const BULL_FACE =
  'M12.300 16.600a1.100 1.100 0 1 0 .001 0zM19.700 16.600a1.100 1.100 0 1 0 .001 0zM14.300 25.100a.9.9 0 1 0 .001 0zM17.700 25.100a.9.9 0 1 0 .001 0z';

interface Glyph {
  readonly path: string;
  readonly width: number;
}

/** Numerals as strokes: 36 high, to be drawn with round ends. */
const GLYPHS: readonly Glyph[] = [
  { path: 'M12 3C5.500 3 3 10 3 18s2.500 15 9 15 9-7 9-15S18.500 3 12 3z', width: 24 },
  { path: 'M3.500 10 11 3v30', width: 14 },
  {
    path: 'M3.500 10.500C3.500 6 7.200 3 12 3c5 0 8.500 3 8.500 7.500C20.500 18.500 3.500 23 3.500 33H21',
    width: 24,
  },
  {
    path: 'M3.500 8C5.200 4.800 8.200 3 12 3c5 0 8.200 2.800 8.200 7S17 17 11 17c6.200 0 10 3 10 8s-3.800 8-9 8c-4.200 0-7.400-1.800-9-5',
    width: 24,
  },
  { path: 'M16.500 33V3L2.800 24.500h18.700', width: 24 },
  {
    path: 'M19.500 3H6.800L5.200 16.500C7 15 9.400 14.200 12 14.200c5.300 0 9 3.600 9 9.300S17.200 33 12 33c-4 0-7.200-1.700-9-4.800',
    width: 24,
  },
  {
    path: 'M18 3.500C10.200 6 3.500 13.500 3.500 23.500c0 6 3.500 9.500 8.600 9.500s8.600-3.500 8.600-8.500-3.400-8.200-8.200-8.200c-4.400 0-8 2.600-9 7.200',
    width: 24,
  },
  { path: 'M3.500 3H21C15 12 11 22 10 33', width: 23 },
  {
    path: 'M12 17c-4.600 0-7.500-2.800-7.500-7S7.400 3 12 3s7.500 2.800 7.500 7-2.900 7-7.500 7-9 3.200-9 8 4 8 9 8 9-3.200 9-8-4-8-9-8z',
    width: 24,
  },
  {
    path: 'M6 32.500C13.800 30 20.500 22.500 20.500 12.500 20.500 6.500 17 3 11.900 3S3.300 6.500 3.300 11.500s3.400 8.200 8.200 8.200c4.400 0 8-2.600 9-7.200',
    width: 24,
  },
];
const GAP = 3;

export interface Numeral {
  readonly digits: readonly { readonly path: string; readonly x: number }[];
  readonly width: number;
}

const numerals = new Map<number, Numeral>();

/** A number as strokes, starting at x = 0. */
export function numeral(value: number): Numeral {
  let known = numerals.get(value);
  if (!known) {
    let x = 0;
    const digits = Array.from(String(value), (digit) => {
      const glyph = GLYPHS[Number(digit)]!;
      const placed = { path: glyph.path, x };
      x += glyph.width + GAP;
      return placed;
    });
    known = { digits, width: x - GAP };
    numerals.set(value, known);
  }
  return known;
}

/** Where the bulls of a card sit in its band, in a field 100 wide: centres and size. */
export function bullPlaces(
  count: number,
): readonly { readonly x: number; readonly y: number; readonly size: number }[] {
  const size = count <= 3 ? 21 : count <= 5 ? 16.5 : 12.4;
  const step = count <= 3 ? 24 : count <= 5 ? 17.6 : 12.8;
  return Array.from({ length: count }, (_, index) => ({
    x: 50 + (index - (count - 1) / 2) * step,
    y: 0,
    size,
  }));
}
