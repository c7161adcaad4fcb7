/** Which matches are shown, as it stands in the address: a link or the way back shows the same ones. */
export interface Filter {
  readonly game: string;
  readonly variant: string;
  readonly company: '' | 'people' | 'bots';
  readonly result: '' | 'won' | 'lost';
  readonly search: string;
}

export const ALL: Filter = { game: '', variant: '', company: '', result: '', search: '' };
const COMPANIES: readonly string[] = ['people', 'bots'] satisfies Filter['company'][];
const RESULTS: readonly string[] = ['won', 'lost'] satisfies Filter['result'][];

/** As much of it as makes sense. */
export function filterOf(search: string): Filter {
  const told = new URLSearchParams(search);
  const word = (name: string, most: number): string => (told.get(name) ?? '').slice(0, most);
  const one = <T extends string>(name: string, known: readonly string[]): T | '' => {
    const value = word(name, 20);
    return known.includes(value) ? (value as T) : '';
  };
  return {
    game: word('game', 60),
    variant: word('variant', 60),
    company: one<'people' | 'bots'>('company', COMPANIES),
    result: one<'won' | 'lost'>('result', RESULTS),
    search: word('search', 100),
  };
}

export function queryOf(filter: Filter): string {
  const told = Object.entries(filter).filter(([, value]) => value !== '');
  return new URLSearchParams(told as [string, string][]).toString();
}

export const isAll = (filter: Filter): boolean => queryOf(filter) === '';
