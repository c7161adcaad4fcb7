/** Finding words in the rules, whatever their case and accents, and marking them. */

/** Letters that are no other letter with a sign on top, but are typed as one. */
const LIKE: Readonly<Record<string, string>> = { ł: 'l', ß: 's' };

/** As long as the text itself, so that what is found there is found here. */
export function folded(text: string): string {
  return [...text]
    .map((letter) => {
      const plain = (letter.normalize('NFD')[0] ?? letter).toLowerCase();
      return (LIKE[plain] ?? plain).padEnd(letter.length, ' ').slice(0, letter.length);
    })
    .join('');
}

export function wordsOf(query: string): readonly string[] {
  return folded(query).split(/\s+/).filter(Boolean);
}

/** Tags and entities are no text. */
const NO_TEXT = /(<[^>]*>|&[#\w]+;)/;

export function plain(html: string): string {
  return html
    .split(NO_TEXT)
    .map((part, index) => (index % 2 ? ' ' : part))
    .join('');
}

/** Whether all words occur. */
export function contains(text: string, words: readonly string[]): boolean {
  const where = folded(text);
  return words.every((word) => where.includes(word));
}

/** The same HTML with all occurrences of the words marked. */
export function marked(html: string, words: readonly string[]): string {
  if (!words.length) return html;
  return html
    .split(NO_TEXT)
    .map((part, index) => (index % 2 ? part : markedText(part, words)))
    .join('');
}

/** A text cut where words begin and end that were looked for. */
export function pieces(text: string, words: readonly string[]): readonly { text: string; isHit: boolean }[] {
  const where = folded(text);
  const isHit = new Array<boolean>(text.length).fill(false);
  for (const word of words)
    for (let at = where.indexOf(word); at >= 0; at = where.indexOf(word, at + 1))
      isHit.fill(true, at, at + word.length);
  const found: { text: string; isHit: boolean }[] = [];
  for (let index = 0; index < text.length; index++) {
    if (index === 0 || isHit[index] !== isHit[index - 1])
      found.push({ text: '', isHit: isHit[index] ?? false });
    found.at(-1)!.text += text[index];
  }
  return found;
}

function markedText(text: string, words: readonly string[]): string {
  return pieces(text, words)
    .map((piece) => (piece.isHit ? `<mark>${piece.text}</mark>` : piece.text))
    .join('');
}
