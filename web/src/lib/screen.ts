import { readable } from 'svelte/store';

/** Room for a panel beside the table. */
export const wideScreen = readable(false, (set) => {
  const list = matchMedia('(min-width: 1000px) and (min-height: 500px)');
  const tell = (): void => set(list.matches);
  tell();
  list.addEventListener('change', tell);
  return () => list.removeEventListener('change', tell);
});
