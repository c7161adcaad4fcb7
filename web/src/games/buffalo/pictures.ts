/** The pictures of the special cards, 48 × 48: what lies still, what moves or is marked, and what points. */
import type { Kind } from './specials';

export interface Picture {
  readonly tone: string;
  /** Cards as they lie. */
  readonly cards: string;
  /** The card that it is about. */
  readonly main: string;
  /** Arrows and signs, as strokes. */
  readonly lines: string;
  readonly ink?: string;
}

const card = (x: number, y: number, width = 9, height = 13): string =>
  `M${x} ${y}h${width}v${height}h-${width}z`;

export const PICTURES: Readonly<Record<Kind, Picture>> = {
  Take7: {
    tone: '#7a4fa0',
    cards: [2, 9.5, 17, 24.5, 32].map((x) => card(x, 32, 6, 9)).join(''),
    main: card(39.5, 32, 6, 9),
    lines: 'M15 8h17c-6 5-8 11-9 18',
  },
  Stop: {
    tone: '#b3321e',
    ink: '#b3321e',
    cards: '',
    main: 'M17 4h14l10 10v14l-10 10h-14l-10-10v-14z',
    lines: 'M15 21h18',
  },
  Swap: {
    tone: '#1d6f86',
    cards: card(6, 10, 13, 18),
    main: card(29, 16, 13, 18),
    lines: 'M23 8q9-5 13 4M36.500 6.500v6h-6M25 38q-9 5-13-4M11.500 39.500v-6h6',
  },
  Insert: {
    tone: '#2f6b3a',
    cards: card(4, 24, 12, 17) + card(32, 24, 12, 17),
    main: card(18, 20, 12, 17),
    lines: 'M24 3v11M19.500 10l4.500 4.500L28.500 10',
  },
  Push: {
    tone: '#9a5b12',
    cards: card(4, 5, 11, 15) + card(33, 28, 11, 15),
    main: card(18, 5, 11, 15),
    lines: 'M24 25v11h5M26 32l4 4-4 4',
  },
  First: {
    tone: '#2a5ea8',
    cards: card(20, 20, 10, 15) + card(33, 20, 10, 15),
    main: card(4, 13, 11, 16),
    lines: 'M38 8H21M25 4l-4.500 4 4.500 4',
  },
  Last: {
    tone: '#a03a6b',
    cards: card(5, 20, 10, 15) + card(18, 20, 10, 15),
    main: card(33, 13, 11, 16),
    lines: 'M10 8h17M23 4l4.500 4-4.500 4',
  },
  Sort: {
    tone: '#56702a',
    cards: card(3, 8, 12, 18) + card(18, 8, 12, 18) + card(33, 8, 12, 18),
    main: '',
    lines:
      'M9 17v.010M24 13v.010M24 21v.010M39 12v.010M39 17v.010M39 22v.010M9 37h30M14 32l-5.500 5 5.500 5M34 32l5.500 5-5.500 5',
  },
};
