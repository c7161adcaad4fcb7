/** Names where there is little room. What people see as one sign, a family of emoji too, is never cut. */
const segmenter = new Intl.Segmenter();
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Script=Han}|\p{Script=Hangul}|[\u3040-\u30ff\uff01-\uff60]/u;
const BROAD = /[MWmw@ЖМШЩЮжмшщю]/;
const WIDTH = { wide: 2, broad: 1.8, other: 1 };

/** As multiples of an ordinary letter. */
function widthOf(sign: string): number {
  if (WIDE.test(sign)) return WIDTH.wide;
  return BROAD.test(sign) ? WIDTH.broad : WIDTH.other;
}

/** The name, or its beginning with an ellipsis, in the room of so many letters. */
export function shorten(name: string, room: number): string {
  const signs = Array.from(segmenter.segment(name), ({ segment }) => segment);
  const total = signs.reduce((sum, sign) => sum + widthOf(sign), 0);
  if (total <= room) return name;
  let left = room - 1;
  const kept = signs.slice(
    0,
    signs.findIndex((sign) => (left -= widthOf(sign)) < 0),
  );
  return `${kept.join('').trimEnd()}…`;
}
