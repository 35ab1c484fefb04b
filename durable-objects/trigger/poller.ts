// The part of a trigger's object that asks: it carries a poller's steps out, keeps what came of them in one commit each, and
// makes deliveries of what was read. What a step comes to is the policy's to say.
import { roomRefusal, type Waiting } from "#policy/inbound/deliveries.ts";
import { freshIn } from "#policy/polling/fresh.ts";
import { askOf, isFull, mayRelease, openPoll, soon, stepPoll, type PollInput } from "#policy/polling/step.ts";
import { viewPoll } from "#policy/polling/view.ts";
import type { Arrival, PollerTerms } from "#schema/inbound/delivery.ts";
import type {
  PollAsk,
  Polled,
  PollerView,
  PollHeld,
  PollPort,
  PollPreview,
  PollState,
} from "#schema/inbound/polling.ts";
import { HAND_OVERS_PER_ALARM, ROOM_RETRY_S } from "#schema/limits/inbound.ts";
import { POLL_AGAIN_MS, POLL_GUARD_MS, POLL_PAGES_PER_ALARM, POLL_RELEASED_AT_ONCE } from "#schema/limits/polling.ts";
import type { PollRows } from "./poll-rows.ts";
import type { Owner } from "./store.ts";

export type PollerHost = {
  readonly rows: PollRows;
  readonly now: () => number;
  readonly atomically: <T>(work: () => T) => T;
  readonly work: () => PollPort;
  readonly waiting: () => Waiting;
  /** Inside a transaction: keeps them as deliveries, and says how many have something to do. */
  readonly deliver: (owner: Owner, arrivals: readonly Arrival[]) => number;
  readonly begin: (count: number) => void;
  readonly arm: (at: number) => void;
  readonly log: (event: string, fault: unknown) => void;
};

export class Poller {
  readonly #host: PollerHost;
  #isBusy = false;
  /** Until then nothing more is made a delivery: there is no room, or nobody could tell what it comes to. */
  #blockedUntil = 0;

  constructor(host: PollerHost) {
    this.#host = host;
  }

  tell({ poll, ...owner }: PollerTerms): PollerView {
    const { rows, now } = this.#host;
    const before = rows.state();
    if (before === null) this.#keep(owner, openPoll(poll, now()));
    else if (poll.generation > before.terms.generation) this.#step(owner, before, { kind: "terms", terms: poll });
    return this.#armed();
  }

  now(terms: PollerTerms): PollerView {
    this.tell(terms);
    const { poll: _poll, ...owner } = terms;
    const state = this.#host.rows.state();
    if (state !== null) this.#step(owner, state, { kind: "now" });
    return this.#armed();
  }

  view(): PollerView | null {
    const { rows } = this.#host;
    const state = rows.state();
    return state && viewPoll(state, rows.backlog(), rows.seenCount());
  }

  async preview({ poll, ...owner }: PollerTerms): Promise<PollPreview> {
    const { rows, now, work } = this.#host;
    const state = rows.state() ?? openPoll(poll, now());
    const cursor = state.round?.cursor ?? state.cursor;
    const ask = { seq: state.seq, generation: poll.generation, cursor, validators: null };
    const { answer } = await work().poll(owner, ask);
    const nothing = { items: 0, fresh: 0, isBaseline: false, arrivals: [] };
    if (answer.kind !== "page") {
      const isFailed = answer.kind === "failed" || answer.kind === "off";
      return {
        ...nothing,
        answer: answer.kind === "gone" ? "off" : answer.kind,
        reason: isFailed ? answer.reason : null,
      };
    }
    const { items } = answer.page;
    const known = rows.known(items.map(({ id }) => id));
    const { held } = freshIn(state, state.round ?? { base: state.starts + 1 }, answer.page, known, now());
    const first = held.toSorted((one, other) => one.rank - other.rank).slice(0, POLL_RELEASED_AT_ONCE);
    const arrivals = (await work().mapItems(owner, first)) ?? [];
    const isBaseline = !state.hasBaseline && poll.from === "now";
    return { answer: "page", reason: null, items: items.length, fresh: held.length, isBaseline, arrivals };
  }

  /** Some pages, and what they brought; whatever wants more goes on with the next alarm. */
  async run(): Promise<void> {
    const { rows, now, arm } = this.#host;
    const owner = rows.owner();
    if (owner === null || this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let pages = 0; pages < POLL_PAGES_PER_ALARM; pages++) {
        await this.#release(owner);
        const state = rows.state();
        const ask = state && askOf(state, rows.backlog(), now());
        if (ask === null) return;
        arm(now() + POLL_GUARD_MS);
        this.#settle(owner, ask, await this.#ask(owner, ask));
      }
      await this.#release(owner);
    } finally {
      this.#isBusy = false;
    }
  }

  /** When it wants to be woken; null: never. */
  wakeAt(): number | null {
    const { rows, now } = this.#host;
    const state = rows.state();
    if (state === null) return null;
    const [oldest] = rows.oldestHeld();
    const releaseAt =
      oldest !== undefined && mayRelease(state, oldest.round) ? Math.max(now(), this.#blockedUntil) : null;
    // What waits for room is looked after when there is some.
    const askAt = isFull(rows.backlog()) ? null : state.nextAt;
    if (this.#isBusy) return now() + POLL_GUARD_MS;
    if (releaseAt === null || askAt === null) return releaseAt ?? askAt;
    return Math.min(releaseAt, askAt);
  }

  isPolling(): boolean {
    return this.#host.rows.state() !== null;
  }

  async #ask(owner: Owner, ask: PollAsk): Promise<Polled> {
    try {
      return await this.#host.work().poll(owner, ask);
    } catch (fault) {
      this.#host.log("not_polled", fault);
      const reason = { code: "unavailable", message: "it could not be asked just now" };
      return { terms: null, answer: { kind: "failed", reason, isFinal: false, retryAfterMs: null } };
    }
  }

  #settle(owner: Owner, ask: PollAsk, { terms, answer }: Polled): void {
    const { rows, now } = this.#host;
    const state = rows.state();
    if (state === null) return;
    const generation = terms?.generation ?? state.terms.generation;
    if (terms !== null && generation > state.terms.generation)
      return this.#step(owner, state, { kind: "terms", terms });
    // The isolate that was asked has not heard of the change yet.
    if (generation < state.terms.generation) return this.#keep(owner, soon(state, now()));
    const ids = answer.kind === "page" ? answer.page.items.map(({ id }) => id) : [];
    this.#step(owner, state, { kind: "answer", ask, answer, known: rows.known(ids) });
  }

  /** A page's items, what was seen and the way to the next page: one commit. */
  #step(owner: Owner, before: PollState, input: PollInput): void {
    const { rows, atomically, now, log } = this.#host;
    const { state, held, seen, isReset } = stepPoll(before, input, now());
    if (state === before) return;
    atomically(() => {
      if (isReset) rows.clear();
      rows.hold(held);
      rows.see(seen);
      if (state.rounds > before.rounds) rows.unsee();
      rows.keep(owner, state);
    });
    const { trouble } = state;
    if (trouble !== null && trouble.code !== before.trouble?.code) log(`poller_${trouble.code}`, trouble.message);
  }

  #keep(owner: Owner, state: PollState): void {
    this.#host.atomically(() => this.#host.rows.keep(owner, state));
  }

  async #release(owner: Owner): Promise<void> {
    for (let slices = 0; slices < HAND_OVERS_PER_ALARM; slices++) if (!(await this.#releaseSlice(owner))) return;
  }

  /** False: there is nothing more to be delivered just now. */
  async #releaseSlice(owner: Owner): Promise<boolean> {
    const { rows, now, atomically, deliver, begin, waiting } = this.#host;
    const state = rows.state();
    const due = state === null ? [] : rows.oldestHeld().filter(({ round }) => mayRelease(state, round));
    if (due.length === 0 || now() < this.#blockedUntil) return false;
    if (roomRefusal(waiting(), owner) !== null) return this.#wait(ROOM_RETRY_S * 1_000);
    const arrivals = await this.#map(owner, due);
    if (arrivals === null) return this.#wait(POLL_AGAIN_MS);
    const count = atomically(() => {
      // What was taken back meanwhile is not delivered.
      const meant = arrivals.filter((_arrival, n) => rows.isHeld(due[n]?.n ?? -1));
      for (const { n } of due) rows.release(n);
      return deliver(owner, meant);
    });
    begin(count);
    return true;
  }

  #wait(ms: number): false {
    this.#blockedUntil = this.#host.now() + ms;
    return false;
  }

  async #map(owner: Owner, items: readonly PollHeld[]): Promise<readonly Arrival[] | null> {
    try {
      return await this.#host.work().mapItems(owner, items);
    } catch (fault) {
      this.#host.log("items_not_mapped", fault);
      return null;
    }
  }

  #armed(): PollerView {
    const { rows, now, arm } = this.#host;
    const at = this.wakeAt();
    if (at !== null) arm(Math.max(at, now() + 1));
    return viewPoll(rows.state() as PollState, rows.backlog(), rows.seenCount()); // it was told just now
  }
}
