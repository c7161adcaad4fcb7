import type { Chair } from './types';

/** Bots go by names of good-natured cattle, one for each seat; their level is told apart from the name. */
const HERD = [
  'Alma',
  'Bruno',
  'Cleo',
  'Dario',
  'Elsa',
  'Ferdi',
  'Greta',
  'Hugo',
  'Ida',
  'Jasper',
  'Kira',
  'Leo',
];

/** What a seat is called. Two seats are never called the same. */
export function chairName(chair: Chair, seat: number, chairs: readonly Chair[]): string {
  if (chair.kind === 'empty') return '–';
  const people = chairs.flatMap((other, index) =>
    other.kind === 'person' ? [{ name: other.name, index }] : [],
  );
  if (chair.kind === 'bot') {
    const taken = new Set(people.map(({ name }) => name));
    const free = HERD.filter((name) => !taken.has(name));
    return free[seat % free.length] ?? chair.name;
  }
  const same = people.filter(({ name }) => name === chair.name);
  return same.length > 1 ? `${chair.name} ${same.findIndex(({ index }) => index === seat) + 1}` : chair.name;
}
