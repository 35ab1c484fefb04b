// Recurring calls: those that a recurring action's object answers, and those it makes to the Worker. Additive only:
// during a deploy both versions of Worker and object call each other.
import type { AuditRow } from "../engine/projection.ts";
import type { Refusal, Result } from "../refusal.ts";
import type { RecurringRow } from "./row.ts";
import type { RecurringSpec, RecurringWork } from "./spec.ts";
import type { OccurrenceRow, RecurringState } from "./state.ts";

/** The request; `terms.id` is derived from its key, if it had one. */
export type RecurringTerms = {
  readonly tenant: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly spec: RecurringSpec;
  readonly createdAt: number;
  /** False: it begins paused. */
  readonly enabled: boolean;
  /** For an existing one whose object has lost everything: the catalog's data. */
  readonly known?: Pick<RecurringState, "seq" | "count" | "failed" | "lastExecutedAt">;
};

export type SpecChange = { readonly [field in keyof RecurringSpec]?: RecurringSpec[field] };

export type RecurringVerb =
  /** `asOf`: the version that was read. If it has changed since, nothing is changed. */
  | { readonly verb: "update"; readonly change: SpecChange; readonly enabled: boolean | null; readonly asOf: number }
  | { readonly verb: "pause" }
  | { readonly verb: "resume"; readonly catchUp: "none" | "last" }
  | { readonly verb: "trigger" }
  | { readonly verb: "skip"; readonly nominal: number | null };

export type RecurringRequest = RecurringVerb & {
  /** The client's Idempotency-Key, or an id made for this request alone. */
  readonly inputId: string;
  /** null: this id is never repeated. */
  readonly fingerprint: string | null;
  readonly reason: string | null;
  /** Stored with the change. */
  readonly audit: AuditRow;
  readonly dryRun: boolean;
};

export type RecurringAnswer = {
  readonly view: RecurringView;
  readonly repeated: boolean;
  /** The result of a trigger or a skip. */
  readonly occurrence: OccurrenceRow | null;
};

export type RecurringHealth = { readonly status: "healthy" | "stale" | "failing"; readonly reason: string | null };

/** The object's own view. */
export type RecurringView = Omit<RecurringState, "receipts" | "audit" | "looking"> & {
  readonly health: RecurringHealth;
};

export type OccurrencePage = {
  readonly data: readonly OccurrenceRow[];
  readonly next: readonly [number, string] | null;
};

export type Recurring = {
  open(terms: RecurringTerms): Promise<Result<RecurringAnswer>>;
  control(ask: RecurringRequest): Promise<Result<RecurringAnswer>>;
  read(): Promise<RecurringView | null>;
  history(limit: number, before: readonly [number, string] | null): Promise<OccurrencePage | null>;
  /** Processes due work, and repairs the alarm. One that has lost everything starts again from `terms`. */
  poke(terms: RecurringTerms): Promise<RecurringView>;
  /** Deletes everything. Dispatches in progress continue. */
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
  /** When it was committed: the instant of a manual trigger. */
  readonly at: number;
};
export type DispatchOutcome = { readonly id: string } & (
  | { readonly kind: "taken"; readonly execution: string }
  | { readonly kind: "refused"; readonly code: Refusal["code"]; readonly message: string }
  | { readonly kind: "unreached"; readonly message: string; readonly retryAfterMs: number | null }
);

/** The Worker's own stateless entrypoint, as the object sees it: it reads the catalog and calls the cells. */
export type RecurringWorkPort = {
  /** Each under a derived id, so a repeat is harmless. */
  dispatch(terms: DispatchTerms, items: readonly DispatchItem[]): Promise<readonly DispatchOutcome[]>;
  /** Which of them still run. */
  checkRunning(tenant: string, executions: readonly string[]): Promise<readonly string[]>;
  cancel(tenant: string, id: string, executions: readonly string[]): Promise<void>;
};

/** The projection to the catalog. */
export type RecurringProjection = { readonly row: RecurringRow; readonly audit: AuditRow | null };
