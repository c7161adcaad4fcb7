/** The shapes that cards are drawn with: our own bull and our own numerals, as paths. */

/** An outline that begins at a point and goes on from there in relative steps: it can be put anywhere. */
interface Outline {
  readonly x: number;
  readonly y: number;
  readonly path: string;
}

const put = ({ x, y, path }: Outline, dx: number, dy: number): string => `M${x + dx} ${y + dy}${path}`;

const HEAD: Outline = {
  x: 2.6,
  y: 3.2,
  path: 'c-1.7 6.2 1 11 6.8 11.8.2 1 .4 2 .7 3-2.5-.9-5.3-.4-6.7 1.6 1.7 2.3 4.9 2.7 7.6 1.4.5 1.5.9 3 1.2 4.5.6 3 1.9 4.3 3.8 4.3s3.2-1.3 3.8-4.3c.3-1.5.7-3 1.2-4.5 2.7 1.3 5.9.9 7.6-1.4-1.4-2-4.2-2.5-6.7-1.6.3-1 .5-2 .7-3 5.8-.8 8.5-5.6 6.8-11.8-.9 3.9-3.7 6.3-7.6 6.5-1.4-1.3-3.2-1.9-4.8-1.9s-3.4.6-4.8 1.9c-5.9-.2-8.7-2.6-9.6-6.5z',
};
/** A bull's head, 32 × 32, in one colour. */
export const BULL = put(HEAD, 0, 0);
/** Eyes and nostrils, to be cut out where there is room for them. */
export const BULL_FACE =
  'M12.300 16.600a1.100 1.100 0 1 0 .001 0zM19.700 16.600a1.100 1.100 0 1 0 .001 0zM14.300 25.100a.9.9 0 1 0 .001 0zM17.700 25.100a.9.9 0 1 0 .001 0z';

interface Glyph extends Outline {
  readonly width: number;
}

/** Numerals as strokes: 36 high, to be drawn with round ends. */
const GLYPHS: readonly Glyph[] = [
  { x: 12, y: 3, path: 'c-6.5 0-9 7-9 15s2.5 15 9 15 9-7 9-15-2.5-15-9-15z', width: 24 },
  { x: 3.5, y: 10, path: 'l7.5-7v30', width: 14 },
  { x: 3.5, y: 10.5, path: 'c0-4.5 3.7-7.5 8.5-7.5 5 0 8.5 3 8.5 7.5 0 8-17 12.5-17 22.5h17.5', width: 24 },
  {
    x: 3.5,
    y: 8,
    path: 'c1.7-3.2 4.7-5 8.5-5 5 0 8.2 2.8 8.2 7s-3.2 7-9.2 7c6.2 0 10 3 10 8s-3.8 8-9 8c-4.2 0-7.4-1.8-9-5',
    width: 24,
  },
  { x: 16.5, y: 33, path: 'v-30l-13.7 21.5h18.7', width: 24 },
  {
    x: 19.5,
    y: 3,
    path: 'h-12.7l-1.6 13.5c1.8-1.5 4.2-2.3 6.8-2.3 5.3 0 9 3.6 9 9.3s-3.8 9.5-9 9.5c-4 0-7.2-1.7-9-4.8',
    width: 24,
  },
  {
    x: 18,
    y: 3.5,
    path: 'c-7.8 2.5-14.5 10-14.5 20 0 6 3.5 9.5 8.6 9.5s8.6-3.5 8.6-8.5-3.4-8.2-8.2-8.2c-4.4 0-8 2.6-9 7.2',
    width: 24,
  },
  { x: 3.5, y: 3, path: 'h17.5c-6 9-10 19-11 30', width: 23 },
  {
    x: 12,
    y: 17,
    path: 'c-4.6 0-7.5-2.8-7.5-7s2.9-7 7.5-7 7.5 2.8 7.5 7-2.9 7-7.5 7-9 3.2-9 8 4 8 9 8 9-3.2 9-8-4-8-9-8z',
    width: 24,
  },
  {
    x: 6,
    y: 32.5,
    path: 'c7.8-2.5 14.5-10 14.5-20 0-6-3.5-9.5-8.6-9.5s-8.6 3.5-8.6 8.5 3.4 8.2 8.2 8.2c4.4 0 8-2.6 9-7.2',
    width: 24,
  },
];
const GAP = 3;

/** Made once for every number: the same cards are drawn again and again. */
function remembered<T>(make: (number: number) => T): (number: number) => T {
  const known = new Map<number, T>();
  return (number) => {
    if (!known.has(number)) known.set(number, make(number));
    return known.get(number)!;
  };
}

/** One path for all of it: a table shows dozens of cards, and each thing that is drawn costs time on a phone. */
export interface Figure {
  readonly path: string;
  readonly width: number;
}

/** A number as strokes, starting at x = 0. */
export const numeral = remembered((value): Figure => {
  let [path, x] = ['', 0];
  for (const digit of String(value)) {
    const glyph = GLYPHS[Number(digit)]!;
    path += put(glyph, x, 0);
    x += glyph.width + GAP;
  }
  return { path, width: x - GAP };
});

export interface Herd {
  readonly path: string;
  readonly scale: number;
}

/** The bulls of a card side by side, around the point 0, 0; the more, the smaller. */
export const herd = remembered((count): Herd => {
  const scale = (count <= 3 ? 21 : count <= 5 ? 16.5 : 12.4) / 32;
  const step = (count <= 3 ? 24 : count <= 5 ? 17.6 : 12.8) / scale;
  const bulls = Array.from({ length: count }, (_, index) =>
    put(HEAD, (index - (count - 1) / 2) * step - 16, -16),
  );
  return { path: bulls.join(''), scale };
});
