/** The live news of a table. Reconnects by itself and asks only for what was missed. */
import { to } from './base';
import type { ErrorBody, Presence, Snapshot, Update } from './types';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';
type Heartbeat = { readonly type: 'Heartbeat' };
type Refused = { readonly type: 'Refused'; readonly error: ErrorBody };
type Incoming = Snapshot | Update | Presence | Heartbeat | Refused;

export interface Listener {
  news(message: Snapshot | Update): void;
  presence(message: Presence): void;
  connection(state: Connection): void;
  refused(error: ErrorBody): void;
  /** What this was opened with counts no more. */
  loggedOut(): void;
}

const MIN_DELAY = 400;
const MAX_DELAY = 8000;
/** The server says something every 20 s; after such a silence the line is dead, whatever the browser believes. */
const SILENCE = 50_000;
const LOGGED_OUT = 'logged_out';
/** Refusals that another try may get past. */
const PASSING = new Set(['too_many', 'unavailable', 'busy']);

export class TableSocket {
  #socket: WebSocket | null = null;
  #after: number | null = null;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(
    readonly id: string,
    readonly listener: Listener,
  ) {}

  start(): void {
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#distrust);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#distrust);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#drop();
  }

  /** Begin again with a snapshot: after a gap, or when somebody else sits in front of the screen. */
  restart(): void {
    this.#after = null;
    this.#tries = 0;
    this.#drop();
    if (!this.#stopped) this.#connect();
  }

  #hurry = (): void => {
    if (!document.hidden && !this.#stopped && this.#socket === null) {
      this.#tries = 0;
      this.#connect();
    }
  };

  /** The network is gone, says the browser: a line to another machine is dead, one to this machine is made again. */
  #distrust = (): void => {
    const socket = this.#socket;
    socket?.close();
    if (socket) this.#lost(socket);
  };

  #connect(): void {
    clearTimeout(this.#timer);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const after = this.#after === null ? '' : `?after=${this.#after}`;
    const socket = new WebSocket(
      `${scheme}://${location.host}${to(`/api/tables/${encodeURIComponent(this.id)}/socket`)}${after}`,
    );
    this.#socket = socket;
    this.listener.connection('connecting');
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as Incoming);
    // If nothing was missed the first word may be a while in coming.
    socket.onopen = () => this.listener.connection('open');
    socket.onclose = () => this.#lost(socket);
    this.#listenForSilence();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #hear(message: Incoming): void {
    this.#listenForSilence();
    if (message.type === 'Refused') {
      if (PASSING.has(message.error.code)) return; // it will be closed, and tried again
      if (message.error.code === LOGGED_OUT) {
        // Whoever we are now begins anew.
        this.#after = null;
        return this.listener.loggedOut();
      }
      this.#stopped = true;
      this.listener.connection('refused');
      this.listener.refused(message.error);
      return;
    }
    this.#tries = 0;
    this.listener.connection('open');
    if (message.type === 'Heartbeat') return;
    if (message.type === 'Presence') return this.listener.presence(message);
    if (message.type === 'Update' && this.#after !== null) {
      if (message.n <= this.#after) return;
      if (message.n > this.#after + 1) return this.restart();
    }
    this.#after = message.n;
    this.listener.news(message);
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    clearTimeout(this.#silence);
    if (this.#stopped) return;
    this.listener.connection('lost');
    const wait = Math.min(MAX_DELAY, MIN_DELAY * 2 ** this.#tries++) * (0.7 + 0.6 * Math.random());
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #listenForSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      const socket = this.#socket;
      if (!socket) return;
      socket.close();
      this.#lost(socket);
    }, SILENCE);
  }
}
