// Keeps one recurring action going: commits what the policy decides, then carries out what stands in the state. Knows
// neither clock nor platform: the object, and the simulator in its place, give it both.
import {
  RECURRING_GUARD_MS,
  RECURRING_STEPS_PER_ALARM_MAX,
  RECURRING_TELL_AGAIN_MS,
} from "#schema/limits/recurring.ts";
import { mustLook, look, planRecurring, type RecurringPlan } from "#policy/calendar/plan.ts";
import { openRecurring, stepRecurring, viewRecurring, type RecurringInput } from "#policy/calendar/recurring.ts";
import type {
  OccurrencePage,
  Recurring,
  RecurringAnswer,
  RecurringAsk,
  RecurringNews,
  RecurringTerms,
  RecurringView,
  RecurringWorkPort,
} from "#schema/recurring/calls.ts";
import { rowOf } from "#schema/recurring/row.ts";
import type { OccurrenceRow, RecurringReceipt, RecurringState } from "#schema/recurring/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { RecurringStorage } from "./storage.ts";

export type KeeperPorts = {
  readonly storage: RecurringStorage;
  readonly now: () => number;
  readonly isOff: () => boolean;
  readonly work: () => RecurringWorkPort;
  /** A call that nobody answers is given up: nothing may hang on it. */
  readonly within: <T>(call: Promise<T>) => Promise<T>;
  readonly tell: (news: RecurringNews) => Promise<void>;
  readonly arm: (at: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

type Input<I = RecurringInput> = I extends RecurringInput ? Omit<I, "now" | "isOff"> : never;

export class Keeper implements Recurring {
  readonly #ports: KeeperPorts;
  #state: RecurringState | null;
  /** As far as this object knows; null: none, or it has rung. */
  #armedAt: number | null = null;
  #untold = false;
  #working: Promise<void> | null = null;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    this.#state = ports.storage.read();
  }

  async open(terms: RecurringTerms): Promise<Result<RecurringAnswer>> {
    const known = this.#state;
    if (known !== null && known.fingerprint !== terms.fingerprint) return refuse(conflict);
    if (known === null) {
      const opened = this.#begin(terms);
      if (!opened.ok) return opened;
      await this.#work();
    }
    return this.#answer(known !== null, null);
  }

  async ask(asked: RecurringAsk): Promise<Result<RecurringAnswer>> {
    const state = this.#state;
    if (state === null) return refuse(none);
    const receipt = state.receipts.find(({ inputId }) => inputId === asked.inputId);
    if (receipt !== undefined) return this.#again(receipt, asked);
    // What is due is decided with what is asked: whether the one before still runs has to be known by then.
    const since = asked.verb === "trigger" ? this.#ports.now() : (state.next?.fireAt ?? Infinity);
    if (since <= this.#ports.now() && mustLook(state, since)) await this.#carryOut(look(state));
    const input = { kind: "ask", ask: asked } as const;
    if (asked.dryRun) return this.#tryOut(input);
    const done = this.#step(input);
    if (!done.ok) return done;
    await this.#work();
    const row = done.value;
    return this.#answer(false, row && (this.#ports.storage.find(row.at, row.id) ?? row));
  }

  /** What came of it the first time, once that is known. */
  async #again({ fingerprint, occurrence }: RecurringReceipt, asked: RecurringAsk): Promise<Result<RecurringAnswer>> {
    if (fingerprint !== asked.fingerprint) return refuse(conflict);
    await this.#work();
    return this.#answer(true, occurrence && this.#ports.storage.find(occurrence.at, occurrence.id));
  }

  async read(): Promise<RecurringView | null> {
    return this.#state && viewRecurring(this.#state, this.#ports.now());
  }

  async history(limit: number, before: readonly [number, string] | null): Promise<OccurrencePage | null> {
    if (this.#state === null) return null;
    const rows = this.#ports.storage.list(limit + 1, before);
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    return { data, next: last !== undefined && rows.length > limit ? [last.at, last.id] : null };
  }

  async poke(terms: RecurringTerms): Promise<RecurringView> {
    if (this.#state === null) {
      this.#ports.log({ level: "error", event: "recurring.reopened", recurring: terms.id });
      this.#begin(terms);
    }
    this.#armedAt = null;
    this.#untold = true;
    await this.#work();
    if (this.#state === null) throw new Error(`the recurring action ${terms.id} cannot be opened again`);
    return viewRecurring(this.#state, this.#ports.now());
  }

  async drop(): Promise<void> {
    [this.#state, this.#armedAt] = [null, null];
    await this.#ports.storage.reset();
  }

  /** Never throws: after six retries the platform forgets the alarm. */
  async ring(): Promise<void> {
    this.#armedAt = null;
    this.#untold = true;
    await this.#work();
  }

  #begin(terms: RecurringTerms): Result<null> {
    const opened = openRecurring(terms, this.#ports.now());
    if (!opened.ok) return opened;
    this.#commit(opened.value, []);
    return accept(null);
  }

  /** One at a time; what comes meanwhile is found by the one that runs, or by another after it. */
  async #work(): Promise<void> {
    while (this.#working !== null) await this.#working;
    this.#working = this.#workThrough();
    try {
      await this.#working;
    } finally {
      this.#working = null;
    }
  }

  async #workThrough(): Promise<void> {
    try {
      for (let steps = 0; steps < RECURRING_STEPS_PER_ALARM_MAX && this.#state !== null; steps++) {
        const plan = planRecurring(this.#state, this.#ports.now());
        if (plan.kind === "rest") return await this.#rest(plan.at);
        await this.#carryOut(plan);
      }
      this.#wakeAfter(1);
    } catch (fault) {
      this.#ports.log({
        level: "error",
        event: "recurring.failed",
        recurring: this.#state?.id,
        message: String(fault),
      });
      this.#wakeAfter(RECURRING_GUARD_MS);
    }
  }

  /** One that was deleted meanwhile is not woken again. */
  #wakeAfter(ms: number): void {
    if (this.#state !== null) this.#armBy(this.#ports.now() + ms);
  }

  /** Somebody may ask something of it meanwhile: what comes back is taken in by whatever it is by then. */
  async #carryOut(plan: RecurringPlan): Promise<void> {
    const state = this.#state;
    if (state === null || plan.kind === "rest") return;
    if (plan.kind === "fire" || plan.kind === "start") return void this.#step(plan);
    // Armed before anything is done.
    this.#armBy(this.#guardAt(state));
    const { tenant, id, spec } = state;
    const { within } = this.#ports;
    const work = this.#ports.work();
    try {
      if (plan.kind === "send") {
        const terms = { tenant, id, namespace: spec.namespace, work: spec.work };
        const items = plan.items.map(({ id: item, nominal, at }) => ({ id: item, nominal, at }));
        this.#step({ kind: "outcomes", outcomes: await within(work.dispatch(terms, items)) });
      } else if (plan.kind === "look") {
        const running = await within(work.look(tenant, plan.executions));
        this.#step({ kind: "looked", running, asked: plan.executions });
      } else {
        await within(work.cancel(tenant, id, plan.executions));
        this.#step({ kind: "canceled", executions: plan.executions });
      }
    } catch (fault) {
      const message = String(fault);
      const ids = plan.kind === "send" ? plan.items.map((item) => item.id) : [];
      this.#step(plan.kind === "send" ? { kind: "unreached", ids, message } : { kind: "look_failed", message });
    }
  }

  #step(input: Input): Result<OccurrenceRow | null> {
    const before = this.#state;
    if (before === null) return refuse(none);
    const stepped = this.#stepped(before, input);
    if (!stepped.ok) return stepped;
    if (stepped.state !== before) this.#commit(stepped.state, stepped.rows);
    for (const { event, level, ...more } of stepped.events) {
      this.#ports.log({ level, event, tenant: before.tenant, recurring: before.id, ...more });
    }
    return accept(stepped.occurrence);
  }

  /** What an expression or a zone that is none any more throws becomes its status: the object does not fail with it. */
  #stepped(before: RecurringState, input: Input) {
    const stamp = { now: this.#ports.now(), isOff: this.#ports.isOff() };
    try {
      return stepRecurring(before, { ...input, ...stamp });
    } catch (fault) {
      if (input.kind === "ask") throw fault;
      return stepRecurring(before, { kind: "broken", message: String(fault), ...stamp });
    }
  }

  #tryOut(input: Extract<Input, { kind: "ask" }>): Result<RecurringAnswer> {
    const state = this.#state;
    if (state === null) return refuse(none);
    const stepped = this.#stepped(state, input);
    if (!stepped.ok) return stepped;
    const view = viewRecurring(stepped.state, this.#ports.now());
    return accept({ view, repeated: false, occurrence: stepped.occurrence });
  }

  /** Occurrences that are on their way stand in the state until it is known what came of them. */
  #commit(state: RecurringState, rows: readonly OccurrenceRow[]): void {
    const plan = planRecurring(state, this.#ports.now());
    const wakeAt = plan.kind === "rest" ? plan.at : this.#guardAt(state);
    const isMoved = wakeAt !== null && wakeAt !== this.#armedAt;
    const known = rows.filter(({ outcome, dispatchedAt }) => outcome !== "dispatched" || dispatchedAt !== null);
    this.#ports.storage.commit(state, known, isMoved ? wakeAt : null);
    if (isMoved) this.#armedAt = wakeAt;
    this.#state = state;
    this.#untold = true;
  }

  async #rest(at: number | null): Promise<void> {
    if (this.#untold) await this.#tell();
    if (this.#state === null) return;
    const again = this.#untold ? this.#ports.now() + RECURRING_TELL_AGAIN_MS : Infinity;
    const wakeAt = Math.min(at ?? Infinity, again);
    if (wakeAt !== Infinity && this.#armedAt !== wakeAt) this.#armBy(wakeAt);
  }

  async #tell(): Promise<void> {
    const state = this.#state;
    if (state === null) return;
    try {
      await this.#ports.tell({ row: rowOf(state), audit: state.audit });
      if (this.#state === state) this.#untold = false;
    } catch (fault) {
      this.#ports.log({ level: "error", event: "recurring.not_told", recurring: state.id, message: String(fault) });
    }
  }

  /** Should it go down with something in its hands. Where the next occurrence is near, that is soon enough. */
  #guardAt({ next }: RecurringState): number {
    const at = this.#ports.now() + RECURRING_GUARD_MS;
    const isNear = next !== null && next.fireAt > this.#ports.now() && next.fireAt <= at + RECURRING_GUARD_MS;
    return isNear ? next.fireAt : at;
  }

  #armBy(at: number): void {
    if (this.#armedAt !== null && this.#armedAt <= at && this.#armedAt > this.#ports.now()) return;
    this.#ports.arm(at);
    this.#armedAt = at;
  }

  #answer(repeated: boolean, occurrence: OccurrenceRow | null): Result<RecurringAnswer> {
    const state = this.#state;
    if (state === null) return refuse(none);
    return accept({ view: viewRecurring(state, this.#ports.now()), repeated, occurrence });
  }
}

const none = { code: "not_found", message: "recurring action not found" } as const;

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key was used for another request.",
  hint: "Use a new key for a new request; repeat a request with exactly the body it had.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was used for another request" }],
} as const;
