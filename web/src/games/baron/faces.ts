/** How colours and cards look. Colour is never the only sign: each has a shape of its own. */
import { COLOURS, type Colour } from './deck';

/** In a square of 20 × 20. */
export const SHAPES: Record<Colour, string> = {
  blue: 'M10 1a9 9 0 1 0 .01 0Z',
  yellow: 'M10 1.5 19 17.5H1Z',
  green: 'M7 1h6v6h6v6h-6v6H7v-6H1V7h6Z',
  red: 'M10 .5 19.5 10 10 19.5.5 10Z',
  black: 'M10 .5l2.9 6.3 6.6.8-4.9 4.6 1.3 6.8L10 15.7 4.1 19l1.3-6.8L.5 7.6l6.6-.8Z',
  white: 'M5.5 2.2h9L19 10l-4.5 7.8h-9L1 10Z',
};

/** A field of a card in one colour, with its shape in the middle; as parts of a card of 100 × 120. */
export interface Field {
  readonly colour: Colour;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How large the shape is. */
  readonly size: number;
}

export const WIDTH = 100;
export const HEIGHT = 120;
const BAND = 44;
const HEAD = 28;
const LARGEST = 34;
const MARGIN = 3;

const sorted = (colours: readonly Colour[]): readonly Colour[] =>
  COLOURS.flatMap((colour) => colours.filter((one) => one === colour));

/**
 * Up to three bulls are a band at the left edge, so that all of them can be seen of a card that another one half covers;
 * more of them fill the card below its number.
 */
export function fields(colours: readonly Colour[]): readonly Field[] {
  const columns = colours.length > 3 ? 2 : 1;
  const lines = Math.ceil(colours.length / columns);
  const top = columns > 1 ? HEAD : 0;
  const height = (HEIGHT - top) / lines;
  return sorted(colours).map((colour, index) => {
    // Two colours of a line lie side by side; the last one of an odd number has the line for itself.
    const isAlone = columns === 1 || (index === colours.length - 1 && index % 2 === 0);
    const width = columns === 1 ? BAND : isAlone ? WIDTH : WIDTH / 2;
    return {
      colour,
      x: columns === 1 || index % 2 === 0 ? 0 : WIDTH / 2,
      y: top + Math.floor(index / columns) * height,
      width,
      height,
      size: Math.min(LARGEST, height - MARGIN, width - MARGIN),
    };
  });
}

/** Side by side below the number, on a small picture of 100 × 140. */
export function strip(colours: readonly Colour[]): readonly Field[] {
  const width = WIDTH / Math.max(1, colours.length);
  const [y, height] = [88, 52];
  return sorted(colours).map((colour, index) => ({
    colour,
    ...{ x: index * width, y, width, height },
    size: Math.min(38, width - MARGIN),
  }));
}

/** It shows every colour. */
export const isBaron = (colours: readonly Colour[]): boolean =>
  COLOURS.every((colour) => colours.includes(colour));
