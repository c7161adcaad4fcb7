/** Where in the program we are: the address bar is the truth. */
import { placeOf, to } from './base';

export type Route =
  | { readonly screen: 'lobby' }
  | { readonly screen: 'new'; readonly id: string }
  | { readonly screen: 'table'; readonly id: string }
  | { readonly screen: 'replay'; readonly id: string }
  | { readonly screen: 'review'; readonly id: string }
  | { readonly screen: 'mistakes'; readonly id: string }
  | { readonly screen: 'carry' }
  | { readonly screen: 'you' }
  | { readonly screen: 'learn' }
  | { readonly screen: 'lesson'; readonly id: string }
  | { readonly screen: 'rules'; readonly id: string }
  | { readonly screen: 'puzzles' }
  | { readonly screen: 'puzzle'; readonly id: string }
  | { readonly screen: 'lost' };

export function parse(path: string | null): Route {
  if (path === null) return { screen: 'lost' };
  const parts = path.split('/').filter(Boolean);
  if (parts.length === 0) return { screen: 'lobby' };
  if (parts.length <= 2 && parts[0] === 'new') return { screen: 'new', id: parts[1] ?? '' };
  if (parts.length === 1 && parts[0] === 'carry') return { screen: 'carry' };
  if (parts.length === 1 && parts[0] === 'you') return { screen: 'you' };
  if (parts[0] === 'learn') {
    if (parts.length === 1) return { screen: 'learn' };
    if (parts.length === 3) return { screen: 'lesson', id: `${parts[1]}/${parts[2]}` };
  }
  if (parts[0] === 'puzzles') {
    if (parts.length === 1) return { screen: 'puzzles' };
    if (parts.length === 3) return { screen: 'puzzle', id: `${parts[1]}/${parts[2]}` };
  }
  if (parts[0] === 'rules' && parts[1] && parts.length === 2) return { screen: 'rules', id: parts[1] };
  if (parts[0] === 't' && parts[1]) {
    if (parts.length === 2) return { screen: 'table', id: parts[1] };
    if (parts.length === 3 && (parts[2] === 'replay' || parts[2] === 'review'))
      return { screen: parts[2], id: parts[1] };
    if (parts.length === 4 && parts[2] === 'review' && parts[3] === 'learn')
      return { screen: 'mistakes', id: parts[1] };
  }
  return { screen: 'lost' };
}

const state = $state<{ path: string | null; hash: string; search: string }>({
  path: '/',
  hash: '',
  search: '',
});

function look(): void {
  state.path = placeOf(location.pathname);
  state.hash = location.hash;
  state.search = location.search;
}

export function route(): Route {
  return parse(state.path);
}

export function hash(): string {
  return state.hash;
}

export function search(): string {
  return state.search;
}

/** What comes behind the path changes with what is looked at; going back should not lead through all of it. */
export function note(search: string): void {
  if (search === location.search) return;
  history.replaceState(null, '', location.pathname + search);
  look();
}

/** To a place in the program. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to(path));
  else history.pushState(null, '', to(path));
  look();
  scrollTo(0, 0);
}

/** Links inside the program do not load the page again. */
function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const place = link.origin === location.origin ? placeOf(link.pathname) : null;
  if (place === null || parse(place).screen === 'lost') return;
  event.preventDefault();
  go(place + link.search + link.hash);
}

export function keepRoute(): void {
  look();
  addEventListener('popstate', look);
  addEventListener('hashchange', look);
  document.addEventListener('click', follow);
}
