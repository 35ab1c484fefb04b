// The calls a recurring action's object answers, and those it makes to the Worker. Additive only: during a deploy both
// versions of Worker and object talk to each other.
import type { AuditRow } from "../engine/projection.ts";
import type { Refusal, Result } from "../refusal.ts";
import type { RecurringRow } from "./row.ts";
import type { RecurringSpec, RecurringWork } from "./spec.ts";
import type { OccurrenceRow, RecurringState } from "./state.ts";

/** What is asked to begin; `terms.id` follows from the request's key, if it had one. */
export type RecurringTerms = {
  readonly tenant: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly spec: RecurringSpec;
  readonly createdAt: number;
  /** False: it begins paused. */
  readonly enabled: boolean;
  /** Of one that was there before and whose object has lost everything: what the catalog knows of it. */
  readonly known?: Pick<RecurringState, "seq" | "count" | "failed" | "lastExecutedAt">;
};

export type SpecChange = { readonly [field in keyof RecurringSpec]?: RecurringSpec[field] };

export type RecurringVerb =
  /** `asOf`: what it was read as. Where it has changed since, nothing is changed. */
  | { readonly verb: "update"; readonly change: SpecChange; readonly enabled: boolean | null; readonly asOf: number }
  | { readonly verb: "pause" }
  | { readonly verb: "resume"; readonly catchUp: "none" | "last" }
  | { readonly verb: "trigger" }
  | { readonly verb: "skip"; readonly nominal: number | null };

export type RecurringAsk = RecurringVerb & {
  /** The caller's Idempotency-Key, or an id made for this request alone. */
  readonly inputId: string;
  /** null: nobody comes back with this id. */
  readonly fingerprint: string | null;
  readonly reason: string | null;
  /** Written down with what is done. */
  readonly audit: AuditRow;
  readonly dryRun: boolean;
};

export type RecurringAnswer = {
  readonly view: RecurringView;
  readonly repeated: boolean;
  /** Of a trigger or a skip: what came of it. */
  readonly occurrence: OccurrenceRow | null;
};

export type RecurringHealth = { readonly status: "healthy" | "stale" | "failing"; readonly reason: string | null };

/** As the object sees itself. */
export type RecurringView = Omit<RecurringState, "receipts" | "audit" | "looking"> & {
  readonly health: RecurringHealth;
};

export type OccurrencePage = {
  readonly data: readonly OccurrenceRow[];
  readonly next: readonly [number, string] | null;
};

export type Recurring = {
  open(terms: RecurringTerms): Promise<Result<RecurringAnswer>>;
  ask(ask: RecurringAsk): Promise<Result<RecurringAnswer>>;
  read(): Promise<RecurringView | null>;
  history(limit: number, before: readonly [number, string] | null): Promise<OccurrencePage | null>;
  /** Does what is due, and repairs the alarm. One that has lost everything begins again from `terms`. */
  poke(terms: RecurringTerms): Promise<RecurringView>;
  /** Nothing of it stays. What is on its way already goes on. */
  drop(): Promise<void>;
};

export type DispatchTerms = {
  readonly tenant: string;
  readonly id: string;
  readonly namespace: string;
  readonly work: RecurringWork;
};
export type DispatchItem = {
  readonly id: string;
  readonly nominal: number | null;
  /** When it was committed: the instant that a trigger is about. */
  readonly at: number;
};
export type DispatchOutcome = { readonly id: string } & (
  | { readonly kind: "taken"; readonly execution: string }
  | { readonly kind: "refused"; readonly code: Refusal["code"]; readonly message: string }
  | { readonly kind: "unreached"; readonly message: string; readonly retryAfterMs: number | null }
);

/** The Worker's own stateless entrypoint, as the object sees it: it has the catalog and the way to the cells. */
export type RecurringWorkPort = {
  /** Each under an id that follows from it: twice is once. */
  dispatch(terms: DispatchTerms, items: readonly DispatchItem[]): Promise<readonly DispatchOutcome[]>;
  /** Which of them still run. */
  look(tenant: string, executions: readonly string[]): Promise<readonly string[]>;
  cancel(tenant: string, id: string, executions: readonly string[]): Promise<void>;
};

/** What the catalog is told. */
export type RecurringNews = { readonly row: RecurringRow; readonly audit: AuditRow | null };
