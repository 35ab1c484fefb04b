// Poller of a trigger: reads pages of a list through the Worker, stores the changes of a page in one commit, and makes
// deliveries of its new items.
import { newItemsOf } from "#policy/polling/new-items.ts";
import { planPoll, type PollPlan } from "#policy/polling/plan.ts";
import { mayRelease, openPoll, pollSoon, stepPoll, type PollInput } from "#policy/polling/step.ts";
import { viewPoll } from "#policy/polling/view.ts";
import type { Arrival, PollerTerms } from "#schema/inbound/delivery.ts";
import type { PollRequest, PollResult, PollerView, PollPort, PollPreview, PollState } from "#schema/inbound/polling.ts";
import { FULL_TRIGGER_RETRY_S } from "#schema/limits/inbound/deliveries.ts";
import { POLL_AGAIN_MS, POLL_RELEASED_AT_ONCE } from "#schema/limits/inbound/polling.ts";
import type { HostPlatform } from "#objects/host/host.ts";
import type { PollRows } from "./poll-rows.ts";
import type { Owner } from "./storage.ts";

export type PollerPorts = {
  readonly platform: HostPlatform;
  readonly rows: PollRows;
  readonly work: () => PollPort;
  readonly commit: <T>(write: () => T) => T;
  readonly hasRoom: (owner: Owner) => boolean;
  /** Stores arrivals as deliveries. Called within a commit. */
  readonly deliver: (owner: Owner, arrivals: readonly Arrival[]) => void;
};

export class Poller {
  readonly #ports: PollerPorts;
  /**
   * Before this time, epoch ms, no item is delivered, because the trigger was full or the items could not be mapped.
   */
  #blockedUntil = 0;

  constructor(ports: PollerPorts) {
    this.#ports = ports;
  }

  /** Applies the settings that the catalog has, and repairs the alarm. */
  update({ poll, ...owner }: PollerTerms): PollerView {
    return this.#ports.commit(() => {
      const before = this.#ports.rows.state();
      if (before === null) this.#ports.rows.keep(owner, openPoll(poll, this.#now()));
      else if (poll.generation > before.terms.generation) this.#write(owner, before, { kind: "terms", terms: poll });
      return this.#viewOf(this.#ports.rows.state() as PollState); // the lines above have stored a state
    });
  }

  pollNow(terms: PollerTerms): PollerView {
    this.update(terms);
    const { poll: _poll, ...owner } = terms;
    return this.#ports.commit(() => {
      const state = this.#ports.rows.state() as PollState; // `update` has stored a state
      return this.#viewOf(this.#write(owner, state, { kind: "now" }));
    });
  }

  view(): PollerView | null {
    const state = this.#ports.rows.state();
    return state && this.#viewOf(state);
  }

  #viewOf(state: PollState): PollerView {
    const { rows } = this.#ports;
    return viewPoll(state, rows.backlog(), rows.seenCount());
  }

  /** Requests one page, and returns the deliveries that it would make. Stores nothing. */
  async preview({ poll, ...owner }: PollerTerms): Promise<PollPreview> {
    const { rows, work } = this.#ports;
    const state = rows.state() ?? openPoll(poll, this.#now());
    const cursor = state.cycle?.cursor ?? state.cursor;
    const ask = { seq: state.seq, generation: poll.generation, cursor, validators: null };
    const { answer } = await work().poll(owner, ask);
    const noItems = { items: 0, fresh: 0, isBaseline: false, arrivals: [] };
    if (answer.kind !== "page") {
      const isFailed = answer.kind === "failed" || answer.kind === "off";
      return {
        ...noItems,
        answer: answer.kind === "gone" ? "off" : answer.kind,
        reason: isFailed ? answer.reason : null,
      };
    }
    const { items } = answer.page;
    const known = rows.known(items.map(({ id }) => id));
    const { held: fresh } = newItemsOf(
      state,
      state.cycle ?? { base: state.cyclesStarted + 1 },
      answer.page,
      known,
      this.#now(),
    );
    const first = fresh.toSorted((one, other) => one.rank - other.rank).slice(0, POLL_RELEASED_AT_ONCE);
    const arrivals = (await work().mapItems(owner, first)) ?? [];
    const isBaseline = !state.hasBaseline && poll.from === "now";
    return { answer: "page", reason: null, items: items.length, fresh: fresh.length, isBaseline, arrivals };
  }

  /** Returns null if the trigger has no poller. */
  plan(now: number): PollPlan | null {
    const { rows } = this.#ports;
    const state = rows.state();
    if (state === null) return null;
    const undelivered = { backlog: rows.backlog(), oldestCycle: rows.oldestCycle() };
    return planPoll({ state, ...undelivered, blockedUntil: this.#blockedUntil }, now);
  }

  async carryOut(plan: PollPlan): Promise<void> {
    const { platform, rows, work } = this.#ports;
    const owner = rows.owner();
    if (owner === null) return;
    switch (plan.kind) {
      case "release":
        return this.#release(owner);
      case "poll":
        return this.#applyAnswer(owner, plan.ask, await platform.within(work().poll(owner, plan.ask)));
      case "rest":
        return;
    }
  }

  fail(plan: PollPlan, message: string): void {
    const owner = this.#ports.rows.owner();
    if (plan.kind === "rest" || owner === null) throw new Error(message);
    if (plan.kind === "release") return this.#block(POLL_AGAIN_MS);
    const reason = { code: "unavailable", message: "the Worker did not answer" };
    this.#applyAnswer(owner, plan.ask, {
      terms: null,
      answer: { kind: "failed", reason, isFinal: false, retryAfterMs: null },
    });
  }

  #applyAnswer(owner: Owner, ask: PollRequest, { terms, answer }: PollResult): void {
    this.#ports.commit(() => {
      const { rows } = this.#ports;
      const state = rows.state();
      if (state === null) return;
      const generation = terms?.generation ?? state.terms.generation;
      if (terms !== null && generation > state.terms.generation)
        return void this.#write(owner, state, { kind: "terms", terms });
      // The isolate answered with older settings from its cache, so the poll is repeated soon.
      if (generation < state.terms.generation) return rows.keep(owner, pollSoon(state, this.#now()));
      const ids = answer.kind === "page" ? answer.page.items.map(({ id }) => id) : [];
      this.#write(owner, state, { kind: "answer", ask, answer, known: rows.known(ids) });
    });
  }

  /** Applies an input to the state, and stores a page's items, ids and cursor. Called within a commit. */
  #write(owner: Owner, before: PollState, input: PollInput): PollState {
    const { rows, platform } = this.#ports;
    const { state, held, seen, isReset } = stepPoll(before, input, this.#now());
    if (state === before) return state;
    if (isReset) rows.clear();
    rows.hold(held);
    rows.see(seen);
    if (state.cyclesCompleted > before.cyclesCompleted) rows.unsee();
    rows.keep(owner, state);
    const { trouble } = state;
    if (trouble !== null && trouble.code !== before.trouble?.code)
      platform.log({ level: "error", event: `poller_${trouble.code}`, message: trouble.message });
    return state;
  }

  /** Maps the oldest items, and stores them as deliveries. */
  async #release(owner: Owner): Promise<void> {
    const { rows, platform, work, commit, deliver, hasRoom } = this.#ports;
    const state = rows.state();
    if (state === null) return;
    if (!hasRoom(owner)) return this.#block(FULL_TRIGGER_RETRY_S * 1_000);
    const items = rows.oldestHeld().filter(({ cycle }) => mayRelease(state, cycle));
    const arrivals = await platform.within(work().mapItems(owner, items));
    if (arrivals === null) return this.#block(POLL_AGAIN_MS);
    commit(() => {
      // A change of the trigger may have deleted items during the call. Deleted items are not delivered.
      const current = arrivals.filter((_arrival, n) => rows.isHeld(items[n]?.n ?? -1));
      for (const { n } of items) rows.release(n);
      deliver(owner, current);
    });
  }

  #block(ms: number): void {
    this.#blockedUntil = this.#now() + ms;
  }

  #now(): number {
    return this.#ports.platform.now();
  }
}
