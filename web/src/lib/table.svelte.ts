/** A table, live: what the server says, shown at a pace that people can follow. */
import type { GameModule, Names, Playing } from '$games/game';
import { game as loadGame } from '$games/index';
import { announce, toast } from './announce.svelte';
import { api, randomKey, Refusal } from './api';
import { chairName } from './chairs';
import { keep, keepHands, kept } from './fair.svelte';
import { breath } from './flight';
import { lookUp, me } from './guest.svelte';
import { narrateNote } from './narrate';
import { explain } from './refusals';
import { texts as phrases } from '$parts/phrases/texts';
import { note } from './remarks.svelte';
import { Sending } from './sending.svelte';
import { TableSocket, type Connection, type Listener } from './socket';
import { play } from './sounds';
import { Staged } from './stage.svelte';
import { tell, until, type Story } from './story';
import { t } from './texts';
import type { Act, ChatSaid, ErrorBody, Presence, Situation, Snapshot, TableInfo, Update } from './types';

/** More than this many things to catch up with are not played out. */
const CATCH_UP = 25;
const INTERLUDE_LIVE = 10_000;
const INTERLUDE_WATCHING = 7_000;
/** So many updates are fetched for the log at first, and so many, as the server gives at once, for each look back. */
const HISTORY = 120;
const AT_ONCE = 500;
/** Milliseconds to wait for news of what we did; without a connection it comes later. */
const NEWS = 2000;
/** Refusals that mean, of a decision that could not be sent at once: the match went on without it. */
const TOO_LATE = new Set(['stale_decision', 'not_your_turn', 'wrong_action', 'not_in_hand', 'not_playing']);
/** Milliseconds in which a cookie that another tab was given is ours as well. */
const COOKIE_COMES = 500;
/** Milliseconds for which a phrase is seen beside a seat. */
const SAID_SHOWN = 4500;
/** A match that has just begun is so short that all of it can be fetched. */
const JUST_BEGUN = 40;
/** Always the same, so that what depends on it can tell that it has not changed. */
const NOTHING: readonly unknown[] = [];

export class LiveTable extends Staged implements Playing, Listener {
  readonly id: string;
  readonly replaying = false;
  module: GameModule | null = $state.raw(null);
  #info: TableInfo | null = $state.raw(null);
  /** The situation as it is, and as far as it has been shown: news alone changes nothing of what is seen. */
  live: Situation | null = $state.raw(null);
  shown: Situation | null = $state.raw(null);
  readonly #chairs = $derived(this.shown?.chairs);
  readonly names: Names = $derived((this.#chairs ?? []).map(chairName));
  connectionState: Connection = $state('connecting');
  /** Why the table cannot be shown at all. */
  failure: string | null = $state(null);
  ready = $state(true);
  readonly #sending = new Sending<unknown>();
  readonly legal: readonly unknown[] = $derived(
    (this.ready && this.sent === null && this.shown?.legal) || NOTHING,
  );
  /** The people who are not connected, and since when by the server's clock. */
  gone: ReadonlyMap<number, number> = $state.raw(new Map());
  /** The server shows another commitment than the one that this browser has kept. */
  otherCommitment = $state(false);
  chat: readonly ChatSaid[] = $state.raw([]);
  unread = $state(0);
  /** What was said with one tap is seen beside the seat for a moment. */
  bubbles: ReadonlyMap<number, ChatSaid> = $state.raw(new Map());
  /** What happened, without gaps, as far back as it has been fetched; the newest last. */
  log: readonly Update[] = $state.raw([]);
  n = 0;
  #socket: TableSocket;
  #queue: Update[] = [];
  #running = false;
  /** Counts the snapshots: what is still being shown of the time before is not shown any further. */
  #chapter = 0;
  #skew = Number.POSITIVE_INFINITY;
  #fetching = false;

  constructor(id: string) {
    super();
    this.id = id;
    this.#socket = new TableSocket(id, this);
  }

  start(): void {
    void phrases.ready().catch(() => undefined); // what is said can be read in English, too
    this.#socket.start();
  }

  stop(): void {
    this.#socket.stop();
    this.#sending.takeBack();
    this.stage.skip();
    this.stage.goOn();
  }

  /** Somebody else may be in front of the screen now. */
  restart(): void {
    this.#socket.restart();
  }

  // -- what a game's component sees ------------------------------------------------------------------

  get info(): TableInfo {
    return this.#info!;
  }
  get situation(): Situation {
    return this.shown!;
  }
  timeLeft(deadline: number): number {
    return Math.max(0, this.localTime(deadline) - Date.now());
  }

  /** A time of the server's clock by ours. */
  localTime(at: number): number {
    return at + (Number.isFinite(this.#skew) ? this.#skew : 0);
  }

  get sent(): unknown {
    return this.#sending.action;
  }
  get isHeldUp(): boolean {
    return this.#sending.isHeldUp;
  }
  takeBack(): void {
    this.#sending.takeBack();
  }

  act(action: unknown): void {
    if (this.sent !== null) return;
    const key = randomKey();
    const data = { action: action as Act['action'], decision: this.live!.decision };
    const send = async (): Promise<void> => {
      await breath(); // that it was chosen is shown first
      if (!this.isHeldUp) play('choose');
      await this.#heard((await api.act(this.id, data, key)).n);
    };
    this.#sending.start(action, send, (error, wasLate) => {
      toast(wasLate && TOO_LATE.has(error.code) ? t('sent.tooLate') : explain(error));
      play('no');
    });
  }

  /** The answer may be faster than the news: until that is here, what can be seen is out of date. */
  async #heard(n: number): Promise<void> {
    const end = Date.now() + NEWS;
    while (this.n < n && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 15));
  }

  /** Send a command; a refusal is said in words. Returns whether it was done. */
  async command(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      toast(explain(error));
      play('no');
      return false;
    }
  }

  // -- news ------------------------------------------------------------------------------------------

  connection(state: Connection): void {
    // Trying again is not news: it is lost until it is there again.
    if (state === 'connecting' && this.connectionState === 'lost') return;
    this.connectionState = state;
    if (state === 'open') this.#sending.hurry();
  }

  refused({ code, message, retry_after }: ErrorBody): void {
    this.failure = explain(new Refusal(code, message, 0, retry_after));
  }

  /** Perhaps in another tab, which has a new cookie for us: it should have come by then. */
  loggedOut(): void {
    setTimeout(() => {
      lookUp().then(
        () => me() ?? toast(t('error.logged_out')),
        () => undefined,
      );
    }, COOKIE_COMES);
  }

  presence({ at, gone }: Presence): void {
    this.#skew = Math.min(this.#skew, Date.now() - at);
    this.gone = new Map(gone.map(({ seat, since }) => [seat, since]));
  }

  #returning = false;

  /** We are here again: nothing more is decided for us. */
  async comeBack(): Promise<void> {
    if (this.#returning) return;
    this.#returning = true;
    await this.command(() => api.back(this.id));
    this.#returning = false;
  }

  news(message: Snapshot | Update): void {
    if (message.type === 'Snapshot') void this.#look(message);
    else this.#hear(message);
  }

  async #look(snapshot: Snapshot): Promise<void> {
    this.n = snapshot.n;
    this.#chapter++;
    this.#queue = [];
    this.log = []; // what is between it and the snapshot would be missing
    this.#fetching = false;
    this.chat = snapshot.chat;
    if (this.#running) {
      this.stage.skip();
      this.stage.goOn();
    }
    if (!this.module) {
      try {
        this.module = await loadGame(snapshot.table.game);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.failure = explain(error);
        return;
      }
    }
    if (this.n !== snapshot.n && this.shown) return;
    this.#info = snapshot.table;
    this.live = this.shown = snapshot.situation;
    this.#keep(snapshot.situation);
    void this.#keepOpening(snapshot);
    this.stage.patience = this.#patience();
    if (this.#queue.length) void this.#run();
  }

  #commitment = '';

  #keep({ fair, phase }: Situation): void {
    if (fair.commitment === this.#commitment) return;
    this.#commitment = fair.commitment;
    if (!keep(this.id, fair, phase === 'waiting')) this.otherCommitment = true;
  }

  /** The match began before we were here to see it: then the cards that we were dealt are in what happened. */
  async #keepOpening({ n, situation }: Snapshot): Promise<void> {
    if (situation.phase !== 'playing' || situation.you === null || n > JUST_BEGUN) return;
    if (kept(this.id)?.hands) return;
    try {
      for (const { events } of await api.updates(this.id, 0)) keepHands(this.id, situation.you, events);
    } catch {
      // Then this is one thing less that can be checked.
    }
  }

  #patience(): number | null {
    if (this.live!.you === null) return INTERLUDE_WATCHING;
    return this.info.tempo.kind === 'live' ? INTERLUDE_LIVE : null;
  }

  #hear(update: Update): void {
    this.n = update.n;
    this.#skew = Math.min(this.#skew, Date.now() - update.at);
    if (update.note?.type === 'ChatSaid') this.#hearChat(update.note);
    if (update.note?.type === 'ChatRemoved') this.#unhear(update.note.n);
    this.#queue.push(update);
    if (!this.live) return;
    this.live = update.situation;
    this.#keep(update.situation);
    keepHands(this.id, update.situation.you, update.events);
    if (this.#queue.length > CATCH_UP) this.stage.skip();
    void this.#run();
  }

  #hearChat(said: ChatSaid): void {
    this.chat = [...this.chat.slice(-99), said];
    announce(narrateNote(said, this.names));
    if (said.phrase) this.#showSaid(said);
    if (said.seat === null || said.seat !== this.live?.you) {
      this.unread++;
      play('chat');
    }
  }

  #showSaid(said: ChatSaid): void {
    const { seat } = said;
    if (seat === null) return;
    this.bubbles = new Map([...this.bubbles, [seat, said]]);
    setTimeout(() => this.#hideSaid(said.n), SAID_SHOWN);
  }

  #hideSaid(n: number): void {
    this.bubbles = new Map([...this.bubbles].filter(([, said]) => said.n !== n));
  }

  /** A message was taken away: it is not shown any more, not in the log either. */
  #unhear(n: number): void {
    const without = (update: Update): Update =>
      update.n === n ? { ...update, note: { type: 'Unlisted' } } : update;
    this.chat = this.chat.filter((said) => said.n !== n);
    this.#hideSaid(n);
    this.log = this.log.map(without);
    this.#queue = this.#queue.map(without);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      await this.#breathe();
      // What there is nothing to see of is passed over without waiting, and so without drawing it.
      for (let update = this.#queue.shift(); update; update = this.#queue.shift()) {
        const story = tell(this.module!, this.situation.view, update);
        if (story.steps.length) await this.#play(update, story);
        else this.#note(update, story);
        if (!this.ready) await this.#breathe();
      }
    } finally {
      this.#running = false;
      this.ready = true;
      this.stage.rest();
    }
    this.#callAttention();
  }

  /** Who talks is heard at once, as the chat shows it at once. */
  #announceNote({ note: said }: Update, { note: aside }: Story): void {
    if (said?.type !== 'ChatSaid') announce(aside);
  }

  /** Something that can only be read. */
  #note(update: Update, story: Story): void {
    this.#announceNote(update, story);
    this.#done(update, story);
  }

  #done(update: Update, { rest }: Story): void {
    this.shown = update.situation;
    this.log = [...this.log, update];
    rest.forEach(announce);
  }

  /** The table, the scores, the log and what is announced move together, scene by scene. */
  async #play(update: Update, story: Story): Promise<void> {
    const chapter = this.#chapter;
    const isFarBehind = this.#queue.length > CATCH_UP;
    if (isFarBehind) this.stage.skip();
    const { steps } = story;
    this.log = [...this.log, until(update, 0)];
    this.#announceNote(update, story);
    const isByBot = update.note?.type === 'Decided' && update.note.by_bot;
    this.stage.plan(
      steps.map(({ scene }) => scene),
      isByBot,
    );
    for (const { scene, event, told, events } of steps) {
      const happened = (): void => {
        if (chapter !== this.#chapter) return;
        this.shown = { ...this.situation, view: scene.view };
        this.log = [...this.log.slice(0, -1), until(update, events)];
        told.forEach(announce);
        if (this.you !== null && !this.stage.hurried)
          note(this.info.game, this.module!, update.events[event]);
      };
      // The result, or more of the match, follows at once: no need to stop at the scores.
      if (scene.interlude && (isFarBehind || update.situation.phase === 'over')) happened();
      else {
        this.ready = false;
        await this.stage.perform(scene, happened);
      }
      if (chapter !== this.#chapter) return;
    }
    this.log = this.log.slice(0, -1);
    this.#done(update, story);
  }

  #wasAsked = false;

  /** It is our turn again: a small sound, once. */
  #callAttention(): void {
    const { you, waiting } = this.situation;
    const asked = you !== null && waiting.some(({ seat }) => seat === you);
    if (asked && !this.#wasAsked) play('turn');
    this.#wasAsked = asked;
  }

  /** Hearing, showing and asking for the next decision are done apart: a touch in between is heard. */
  async #breathe(): Promise<void> {
    if (!this.stage.hurried) await breath();
  }

  get #first(): number {
    return this.log[0]?.n ?? this.#queue[0]?.n ?? this.n + 1;
  }

  get hasEarlier(): boolean {
    return this.#first > 1;
  }

  /** Fetch what happened before all that is in the log. */
  async earlier(): Promise<void> {
    if (this.#fetching || !this.hasEarlier) return;
    this.#fetching = true;
    try {
      const portion = this.log.length < HISTORY ? HISTORY : AT_ONCE;
      const updates = await api.updates(this.id, Math.max(0, this.#first - 1 - portion));
      const missing = updates.filter(({ n }) => n < this.#first);
      if (missing.at(-1)?.n === this.#first - 1) this.log = [...missing, ...this.log];
    } catch {
      // The next look at the log tries again.
    }
    this.#fetching = false;
  }
}
