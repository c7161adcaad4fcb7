/** Commands and questions to the server. Commands carry a key, so that sending one again does no harm. */
import { to } from './base';
import type { MatchRecord } from './proof';
import type {
  Act,
  Address,
  BotInfo,
  BroughtMatch,
  CallsInfo,
  Chair,
  CommitmentList,
  DeviceInfo,
  Done,
  ErrorAnswer,
  GameInfo,
  Hint,
  LessonInfo,
  LessonScript,
  PuzzleAnswer,
  PuzzleDay,
  PuzzleSheet,
  ReviewStatus,
  RulesPage,
  LinkCode,
  Me,
  NewReport,
  NewTable,
  OpenedTable,
  OpenHands,
  OwnMatches,
  OwnMistakes,
  OwnStatistics,
  Shun,
  Shunned,
  Snapshot,
  Subscribe,
  SubscriptionInfo,
  TableCard,
  Update,
  WaitingTable,
  WarmUpStatus,
  SayPhrase,
} from './types';

type Pace = Chair['pace'];

/** The server refuses: `code` is stable, `message` an English sentence. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

const PATIENCE = [300, 1000, 2500];
/** Milliseconds after which no answer to a decision will come: on a dead line nobody says so. */
const SILENCE = 10_000;

export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function refusal(response: Response): Promise<Refusal> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    return new Refusal(error.code, error.message, response.status, error.retry_after);
  } catch {
    return new Refusal('server_error', response.statusText, response.status);
  }
}

/** One request; when no answer comes it is sent again with the same key, a few times if that is safe. */
async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  safe = true,
  key = randomKey(),
  limit: number | null = null,
): Promise<T> {
  const init: RequestInit = { method, credentials: 'same-origin', headers: { accept: 'application/json' } };
  if (method !== 'GET') {
    init.headers = {
      ...init.headers,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    init.body = JSON.stringify(body ?? {});
  }
  for (let attempt = 0; ; attempt++) {
    const wait = safe ? PATIENCE[attempt] : undefined;
    let response: Response;
    try {
      response = await fetch(
        to(path),
        limit === null ? init : { ...init, signal: AbortSignal.timeout(limit) },
      );
    } catch {
      if (wait === undefined) throw new Refusal('offline', 'No connection to the server.', 0);
      await later(wait);
      continue;
    }
    if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
    if (response.status !== 503 || wait === undefined) throw await refusal(response);
    await later(wait);
  }
}

const get = <T>(path: string): Promise<T> => ask<T>('GET', path);
const post = <T>(path: string, body?: unknown): Promise<T> => ask<T>('POST', path, body);

/** What is told in pieces, until all is told. */
async function whole<T extends { readonly n: number }>(path: string): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const more = await get<T[]>(`${path}after=${all.at(-1)?.n ?? 0}`);
    if (more.length === 0) return all;
    all.push(...more);
  }
}
const table = (id: string, command = ''): string => `/api/tables/${encodeURIComponent(id)}${command}`;

export const api = {
  me: () => get<Me>('/api/me'),
  // Sent once only: without keys a second try could make a second guest or table.
  welcome: (name: string) => ask<Me>('POST', '/api/guests', { name }, false),
  rename: (name: string) => post<Me>('/api/me', { name }),
  waiting: () => get<WaitingTable[]>('/api/me/waiting'),
  calls: () => get<CallsInfo>('/api/me/calls'),
  subscribe: (data: Subscribe) => post<SubscriptionInfo>('/api/me/calls', data),
  unsubscribe: (id: string) => ask<undefined>('DELETE', `/api/me/calls/${encodeURIComponent(id)}`),
  endCalls: () => ask<undefined>('DELETE', '/api/me/calls'),
  makeLink: () => ask<LinkCode>('POST', '/api/me/link', {}, false),
  devices: () => get<DeviceInfo[]>('/api/me/devices'),
  endDevice: (id: string) => ask<undefined>('DELETE', `/api/me/devices/${encodeURIComponent(id)}`),
  // May be sent again: the old cookie counts until the new one has come.
  logOutElsewhere: () => post<Me>('/api/me/log-out'),
  ownData: '/api/me/data',
  deleteMe: () => ask<undefined>('DELETE', '/api/me', {}, false),
  shunned: () => get<Shunned[]>('/api/me/shunned'),
  unshun: (id: string) => ask<undefined>('DELETE', `/api/me/shunned/${encodeURIComponent(id)}`),
  matches: (query: string) => get<OwnMatches>(`/api/me/matches?${query}`),
  mistakes: (query: string) => get<OwnMistakes>(`/api/me/mistakes?${query}`),
  statistics: (query: string) => get<OwnStatistics>(`/api/me/statistics?${query}`),
  claim: (code: string) => ask<Me>('POST', '/api/me/claim', { code }, false),

  games: () => get<GameInfo[]>('/api/games'),
  bots: () => get<BotInfo[]>('/api/bots'),
  warmUp: () => get<WarmUpStatus>('/api/warm-up'),
  lessons: () => get<LessonInfo[]>('/api/lessons'),
  /** By game and name: `six/basic`. */
  lesson: (id: string) => get<LessonScript>(`/api/lessons/${id}`),
  rules: (game: string, language: string) => get<RulesPage>(`/api/rules/${game}/${language}`),
  puzzleDay: (date: string | null) => get<PuzzleDay>(`/api/puzzles${date ? `?date=${date}` : ''}`),
  /** By game and its own id or a date: `six/2026-01-31`. */
  puzzle: (id: string) => get<PuzzleSheet>(`/api/puzzles/${id}`),
  nextPuzzle: (game: string, query: string) => get<PuzzleSheet>(`/api/puzzles/${game}/next?${query}`),
  solve: (id: string, action: unknown, language: string) =>
    post<PuzzleAnswer>(`/api/puzzles/${id}/answer?language=${language}`, { action }),
  address: () => get<Address>('/api/address'),

  publicTables: () => get<TableCard[]>('/api/tables/'),
  myTables: () => get<TableCard[]>('/api/tables/mine'),
  open: (data: NewTable) => ask<OpenedTable>('POST', '/api/tables/', data, false),
  look: (id: string) => get<Snapshot>(table(id)),
  updates: (id: string, after: number) => get<Update[]>(table(id, `/updates?after=${after}`)),
  steps: (id: string, seat: number | null) =>
    whole<Update>(table(id, `/steps?${seat === null ? '' : `seat=${seat}&`}`)),
  hands: (id: string) => whole<OpenHands>(table(id, '/hands?')),
  record: (id: string) => to(table(id, '/record')),
  /** What is known already; `after` so many decisions. */
  review: (id: string, seat: number, language: string, after = 0) =>
    get<ReviewStatus>(table(id, `/review?seat=${seat}&language=${language}&after=${after}`)),
  /** The same, and let it go on. */
  askForReview: (id: string, seat: number, language: string, after = 0) =>
    post<ReviewStatus>(table(id, `/review?seat=${seat}&language=${language}&after=${after}`)),
  /** The record of a match that was played elsewhere. */
  bring: (record: unknown) => post<BroughtMatch>('/api/records', record),
  matchRecord: (id: string) => get<MatchRecord>(table(id, '/record')),
  commitments: (after: number, limit: number) =>
    get<CommitmentList>(`/api/commitments?after=${after}&limit=${limit}`),

  join: (id: string, seat: number | null, contribution: string) =>
    post<Done>(table(id, '/join'), { seat, contribution }),
  contribute: (id: string, contribution: string) => post<Done>(table(id, '/contribute'), { contribution }),
  leave: (id: string) => post<Done>(table(id, '/leave')),
  back: (id: string) => post<Done>(table(id, '/back')),
  pace: (id: string, pace: Pace) => post<Done>(table(id, '/pace'), { pace }),
  standIn: (id: string, seat: number) => post<Done>(table(id, '/stand-in'), { seat }),
  takeOver: (id: string, seat: number) => post<Done>(table(id, '/join'), { seat }),
  allowTakeover: (id: string, allowed: boolean) => post<Done>(table(id, '/takeover'), { allowed }),
  unlist: (id: string) => post<Done>(table(id, '/unlist')),
  seatBot: (id: string, seat: number, level: string) => post<Done>(table(id, '/bot'), { seat, level }),
  clearSeat: (id: string, seat: number) => post<Done>(table(id, '/clear'), { seat }),
  swap: (id: string, one: number, other: number) => post<Done>(table(id, '/swap'), { one, other }),
  start: (id: string, expected: number) => post<Done>(table(id, '/start'), { expected }),
  close: (id: string) => post<Done>(table(id, '/close')),
  // Sent once: who decides sees to it that it is sent again, with the same key.
  act: (id: string, data: Act, key: string) =>
    ask<Done>('POST', table(id, '/act'), data, false, key, SILENCE),
  // Sent once: it is thought about once, however often it is asked for.
  hint: (id: string, decision: number | null, language: string) =>
    ask<Hint>('POST', table(id, `/hint?language=${language}`), { decision }, false),
  takeBack: (id: string) => post<Done>(table(id, '/take-back')),
  say: (id: string, text: string) => post<Done>(table(id, '/say'), { text }),
  phrase: (id: string, phrase: SayPhrase['phrase']) => post<Done>(table(id, '/phrase'), { phrase }),
  report: (id: string, data: NewReport) => post<undefined>(table(id, '/report'), data),
  shun: (id: string, data: Shun) => post<undefined>(table(id, '/shun'), data),
  rematch: (id: string) => post<OpenedTable>(table(id, '/rematch')),
};
