// A recurring action driven by hand: its policy alone, with a clock that a test moves and a Worker that takes everything.
import { planRecurring } from "#policy/calendar/plan.ts";
import { openRecurring, stepRecurring, type RecurringInput, type RecurringStep } from "#policy/calendar/recurring.ts";
import { recurringDefaults } from "#schema/recurring/defaults.ts";
import type { RecurringRequest, RecurringVerb, SpecChange } from "#schema/recurring/calls.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import type { OccurrenceRow, RecurringState } from "#schema/recurring/state.ts";

export const at = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);

export function specOf(over: Omit<Partial<RecurringSpec>, "rule"> & { rule?: Partial<RecurringSpec["rule"]> } = {}) {
  const rule = { cron: "0 9 * * *", timezone: "UTC", gap: "shift", fold: "auto", ...over.rule } as const;
  const { graceMs, catchUpWindowMs, catchUp } = recurringDefaults;
  const action = { type: "webhook", config: { url: "https://example.com" } };
  const spec: RecurringSpec = {
    namespace: "default",
    description: null,
    labels: {},
    startsAt: null,
    endsAt: null,
    maxExecutions: null,
    overlap: "allow",
    catchUp,
    graceMs,
    catchUpWindowMs,
    jitterMs: 0,
    work: { kind: "action", provider: "webhook", actionType: "x", payload: {}, metadata: {}, dedupKey: null, action },
    ...over,
    rule,
  };
  return spec;
}

type Bare<I = RecurringInput> = I extends RecurringInput ? Omit<I, "now" | "isOff"> : never;

export class Trace {
  state: RecurringState;
  now: number;
  /** By occurrence, as it stands at last. */
  readonly rows = new Map<string, OccurrenceRow>();
  readonly sent: string[] = [];
  /** What those that were sent have become; everything runs until it is named here. */
  readonly ended = new Set<string>();
  readonly events: string[] = [];
  canceled: string[] = [];
  isOff = false;
  /** What the Worker makes of an occurrence. */
  answer: "taken" | "deduplicated" | "refused" | "unreached" = "taken";

  constructor(now: string, spec: RecurringSpec, enabled = true) {
    this.now = at(now);
    const terms = { tenant: "acme", id: "rec_1", fingerprint: "f", spec, createdAt: this.now, enabled };
    const opened = openRecurring(terms, this.now);
    if (!opened.ok) throw new Error(opened.refusal.message);
    this.state = opened.value;
  }

  step(input: Bare): RecurringStep {
    const stepped = stepRecurring(this.state, { ...input, now: this.now, isOff: this.isOff });
    if (!stepped.ok) return stepped;
    this.state = stepped.state;
    for (const row of stepped.rows) this.rows.set(row.id, row);
    this.events.push(...stepped.events.map(({ event }) => event));
    return stepped;
  }

  /** All that is due at the instant, as its object does it. */
  until(instant: string): this {
    this.now = at(instant);
    for (let steps = 0; steps < 500; steps += 1) {
      const plan = planRecurring(this.state, this.now);
      if (plan.kind === "rest") return this;
      if (plan.kind === "fire" || plan.kind === "start") this.step(plan);
      else if (plan.kind === "look") {
        const running = plan.executions.filter((execution) => !this.ended.has(execution));
        this.step({ kind: "looked", running, asked: plan.executions });
      } else if (plan.kind === "cancel") {
        this.canceled.push(...plan.executions);
        this.step({ kind: "canceled", executions: plan.executions });
      } else {
        const ids = plan.items.map(({ id }) => id);
        if (this.answer !== "unreached") this.sent.push(...ids);
        this.step({ kind: "outcomes", outcomes: ids.map((id) => this.#outcome(id)) });
      }
    }
    throw new Error("it never comes to rest");
  }

  ask(verb: RecurringVerb, over: Partial<RecurringRequest> = {}): RecurringStep {
    const audit = { tenant: "acme", id: "aud_1", at: this.now, actor: "key:k", verb: "x", target: "rec_1" };
    const asked = { inputId: "inp_1", fingerprint: null, reason: null, dryRun: false, ...verb, ...over };
    const ask = { ...asked, audit: { ...audit, reason: null, details: null } } as RecurringRequest; // one of its verbs
    return this.step({ kind: "ask", ask });
  }

  put(change: SpecChange, enabled: boolean | null = null): RecurringStep {
    return this.ask({ verb: "update", change, enabled, asOf: this.state.updatedAt });
  }

  get next(): string | null {
    return this.state.next && new Date(this.state.next.nominal).toISOString();
  }

  /** What became of each, in order. */
  get outcomes(): readonly string[] {
    const rows = [...this.rows.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    return rows.map(({ nominal, until, count, isCapped, outcome, reason }) => {
      const many = until === null ? "" : `–${text(until)} (${isCapped ? "at least " : ""}${count})`;
      return `${nominal === null ? "now" : text(nominal)}${many} ${outcome}${reason === null ? "" : ` ${reason}`}`;
    });
  }

  #outcome(id: string) {
    if (this.answer === "taken") return { id, kind: "taken", execution: `exe_${id}` } as const;
    if (this.answer === "deduplicated") return { id, kind: "taken", execution: "exe_0", isDuplicate: true } as const;
    if (this.answer === "refused")
      return { id, kind: "refused", code: "definition_archived", message: "it is archived" } as const;
    return { id, kind: "unreached", message: "nobody is there", retryAfterMs: null } as const;
  }
}

function text(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16);
}
