// Controller of one recurring action: stores what the policy decides. Asks the Worker to start, check and cancel
// executions.
import {
  RECURRING_GUARD_MS,
  RECURRING_STEPS_PER_ALARM_MAX,
  RECURRING_PROJECTION_RETRY_MS,
} from "#schema/limits/recurring-actions.ts";
import { dispatchCall } from "#policy/calendar/dispatch-call.ts";
import { guardRecurring, planCheck, mustCheck, planRecurring, type RecurringPlan } from "#policy/calendar/plan.ts";
import { openRecurring, stepRecurring, viewRecurring, type RecurringInput } from "#policy/calendar/recurring.ts";
import type {
  OccurrencePage,
  Recurring,
  RecurringAnswer,
  RecurringRequest,
  RecurringProjection,
  RecurringTerms,
  RecurringView,
  RecurringWorkPort,
} from "#schema/recurring/calls.ts";
import { rowOf } from "#schema/recurring/row.ts";
import type { OccurrenceRow, RecurringReceipt, RecurringState } from "#schema/recurring/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { Host, type HostPlatform, type HostSettings } from "#objects/host/host.ts";
import type { RecurringStorage } from "./storage.ts";

export type RecurringPorts = {
  readonly platform: HostPlatform;
  readonly storage: RecurringStorage;
  /** True if recurring actions are disabled for the installation. */
  readonly isOff: () => boolean;
  readonly work: () => RecurringWorkPort;
  readonly notify: (news: RecurringProjection) => Promise<void>;
};

const settings: HostSettings = {
  guardMs: RECURRING_GUARD_MS,
  stepsMax: RECURRING_STEPS_PER_ALARM_MAX,
  startedBy: "call",
};

type Input<I = RecurringInput> = I extends RecurringInput ? Omit<I, "now" | "isOff"> : never;

export class RecurringController implements Recurring {
  readonly #ports: RecurringPorts;
  readonly #host: Host<RecurringPlan>;
  #state: RecurringState | null = null;

  constructor(ports: RecurringPorts) {
    this.#ports = ports;
    this.#host = new Host<RecurringPlan>(ports.platform, ports.storage, settings, {
      load: () => void (this.#state = ports.storage.read()),
      plan: (now) => (this.#state === null ? { kind: "rest", at: null } : planRecurring(this.#state, now)),
      guardAt: (now) => (this.#state === null ? now + RECURRING_GUARD_MS : guardRecurring(this.#state, now)),
      carryOut: (plan) => this.#carryOut(plan),
      fail: (plan, message) => void this.#step(failureOf(plan, message)),
      notify: { send: () => this.#notify(), againMs: RECURRING_PROJECTION_RETRY_MS },
    });
  }

  async open(terms: RecurringTerms): Promise<Result<RecurringAnswer>> {
    const existing = this.#state;
    if (existing !== null && existing.fingerprint !== terms.fingerprint) return refuse(conflict);
    if (existing === null) {
      const begun = this.#begin(terms);
      if (!begun.ok) return begun;
      await this.#host.run();
    }
    return this.#answer(existing !== null, null);
  }

  async control(request: RecurringRequest): Promise<Result<RecurringAnswer>> {
    const state = this.#state;
    if (state === null) return refuse(notFound);
    const receipt = state.receipts.find(({ inputId }) => inputId === request.inputId);
    if (receipt !== undefined) return this.#answerRepeat(receipt, request);
    // The step of a request also starts occurrences that are due. It must know which earlier executions are still
    // running.
    const fireAt = request.verb === "trigger" ? this.#now() : (state.next?.fireAt ?? Infinity);
    if (fireAt <= this.#now() && mustCheck(state, fireAt)) await this.#host.carryOut(planCheck(state));
    const input = { kind: "ask", ask: request } as const;
    if (request.dryRun) return this.#dryRun(input);
    const stepped = this.#step(input);
    if (!stepped.ok) return stepped;
    await this.#host.run();
    const row = stepped.value;
    return this.#answer(false, row && (this.#ports.storage.find(row.at, row.id) ?? row));
  }

  /** Returns the outcome of the first request with the same key. */
  async #answerRepeat(
    { fingerprint, occurrence }: RecurringReceipt,
    request: RecurringRequest,
  ): Promise<Result<RecurringAnswer>> {
    if (fingerprint !== request.fingerprint) return refuse(conflict);
    await this.#host.run();
    return this.#answer(true, occurrence && this.#ports.storage.find(occurrence.at, occurrence.id));
  }

  async read(): Promise<RecurringView | null> {
    return this.#state && viewRecurring(this.#state, this.#now());
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
      this.#ports.platform.log({ level: "error", event: "recurring.reopened", recurring: terms.id });
      this.#begin(terms);
    }
    await this.#host.wake();
    if (this.#state === null) throw new Error(`the deleted recurring action ${terms.id} cannot be created again`);
    return viewRecurring(this.#state, this.#now());
  }

  drop(): Promise<void> {
    return this.#host.forget();
  }

  wake(): Promise<void> {
    return this.#host.wake();
  }

  #begin(terms: RecurringTerms): Result<null> {
    const state = openRecurring(terms, this.#now());
    if (!state.ok) return state;
    this.#store(state.value, []);
    return accept(null);
  }

  async #carryOut(plan: RecurringPlan): Promise<void> {
    const state = this.#state;
    if (state === null) return;
    const { tenant, id } = state;
    const { within } = this.#ports.platform;
    const work = this.#ports.work();
    switch (plan.kind) {
      case "rest":
        return;
      case "fire":
      case "start":
        return void this.#step(plan);
      case "send": {
        const { terms, items } = dispatchCall(state, plan.items);
        return void this.#step({ kind: "outcomes", outcomes: await within(work.dispatch(terms, items)) });
      }
      case "look": {
        const running = await within(work.checkRunning(tenant, plan.executions));
        return void this.#step({ kind: "looked", running, asked: plan.executions });
      }
      case "cancel":
        await within(work.cancel(tenant, id, plan.executions));
        return void this.#step({ kind: "canceled", executions: plan.executions });
    }
  }

  #step(input: Input): Result<OccurrenceRow | null> {
    const before = this.#state;
    if (before === null) return refuse(notFound);
    const stepped = this.#decide(before, input);
    if (!stepped.ok) return stepped;
    if (stepped.state !== before) this.#store(stepped.state, stepped.rows);
    for (const { event, level, ...details } of stepped.events) {
      this.#ports.platform.log({ level, event, tenant: before.tenant, recurring: before.id, ...details });
    }
    return accept(stepped.occurrence);
  }

  /** A time zone or expression that has become invalid sets the status to error, so that the alarm continues. */
  #decide(before: RecurringState, input: Input) {
    const stamp = { now: this.#now(), isOff: this.#ports.isOff() };
    try {
      return stepRecurring(before, { ...input, ...stamp });
    } catch (fault) {
      if (input.kind === "ask") throw fault;
      return stepRecurring(before, { kind: "broken", message: String(fault), ...stamp });
    }
  }

  #dryRun(input: Extract<Input, { kind: "ask" }>): Result<RecurringAnswer> {
    const state = this.#state;
    if (state === null) return refuse(notFound);
    const stepped = this.#decide(state, input);
    if (!stepped.ok) return stepped;
    const view = viewRecurring(stepped.state, this.#now());
    return accept({ view, repeated: false, occurrence: stepped.occurrence });
  }

  /** An occurrence gets its row when its outcome is known. Until then it is only in the state. */
  #store(state: RecurringState, rows: readonly OccurrenceRow[]): void {
    const finished = rows.filter(({ outcome, dispatchedAt }) => outcome !== "dispatched" || dispatchedAt !== null);
    this.#host.commit(() => {
      this.#ports.storage.write(state, finished);
      this.#state = state;
    });
  }

  async #notify(): Promise<void> {
    if (this.#state !== null) await this.#ports.notify({ row: rowOf(this.#state), audit: this.#state.audit });
  }

  #now(): number {
    return this.#ports.platform.now();
  }

  #answer(repeated: boolean, occurrence: OccurrenceRow | null): Result<RecurringAnswer> {
    const state = this.#state;
    if (state === null) return refuse(notFound);
    return accept({ view: viewRecurring(state, this.#now()), repeated, occurrence });
  }
}

function failureOf(plan: RecurringPlan, message: string): Input {
  switch (plan.kind) {
    case "send":
      return { kind: "unreached", ids: plan.items.map(({ id }) => id), message };
    case "look":
    case "cancel":
      return { kind: "look_failed", message };
    case "fire":
    case "start":
    case "rest":
      throw new Error(message);
  }
}

const notFound = { code: "not_found", message: "recurring action not found" } as const;

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key was already used for another request.",
  hint: "Use a new key for a new request. To repeat a request, send exactly the same body.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was already used for another request" }],
} as const;
