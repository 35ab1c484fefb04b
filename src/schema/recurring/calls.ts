// Recurring calls: the RPC interface of a recurring action's object, and its calls to the Worker. Changes are additive
// only, because Worker and object versions differ during a deploy.
import type { AuditRow } from "../engine/projection.ts";
import type { Refusal, Result } from "../refusal.ts";
import type { RecurringRow } from "./row.ts";
import type { Calendars } from "../definition/holidays.ts";
import type { FollowedCalendars, RecurringSpec, RecurringWork } from "./spec.ts";
import type { OccurrenceRow, RecurringState } from "./state.ts";

/** A new recurring action. `id` is derived from the request's key, if it has one. */
export type RecurringTerms = {
  readonly tenant: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly spec: RecurringSpec;
  readonly createdAt: number;
  /** False: the recurring action is created as paused. */
  readonly enabled: boolean;
  /** What the catalog knows of an existing recurring action. It is set if the object has lost its own data. */
  readonly known?: Pick<RecurringState, "seq" | "count" | "failed" | "lastExecutedAt" | "recent">;
};

export type SpecChange = { readonly [field in keyof RecurringSpec]?: RecurringSpec[field] };

export type RecurringVerb =
  /** `asOf`: the version that the client has read. If the current version differs, nothing is updated. */
  | { readonly verb: "update"; readonly change: SpecChange; readonly enabled: boolean | null; readonly asOf: number }
  | { readonly verb: "pause" }
  | { readonly verb: "resume"; readonly catchUp: "none" | "last" }
  | { readonly verb: "trigger" }
  | { readonly verb: "skip"; readonly nominal: number | null }
  /** Calendars were changed. Only the engine sends this command. Dates of unnamed calendars are ignored. */
  | { readonly verb: "follow"; readonly calendars: FollowedCalendars };

export type RecurringRequest = RecurringVerb & {
  /** The client's Idempotency-Key. If there is none, a new id of this request. */
  readonly inputId: string;
  /** A digest of the request. Null if the id is new, because no client can then repeat the request. */
  readonly fingerprint: string | null;
  readonly reason: string | null;
  /** The audit entry that is stored with the change. */
  readonly audit: AuditRow;
  readonly dryRun: boolean;
};

export type RecurringAnswer = {
  readonly view: RecurringView;
  readonly repeated: boolean;
  /** The occurrence that was triggered or skipped. Null for all other verbs. */
  readonly occurrence: OccurrenceRow | null;
};

export type RecurringHealth = { readonly status: "healthy" | "stale" | "failing"; readonly reason: string | null };

/** The recurring action as its object returns it. */
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
  /** Processes due work and sets a missing alarm. If the object has lost its data, it begins again with `terms`. */
  poke(terms: RecurringTerms): Promise<RecurringView>;
  /** Deletes all data of the object. Dispatches that are already in progress continue. */
  drop(): Promise<void>;
};

export type DispatchSource = {
  readonly tenant: string;
  readonly id: string;
  readonly namespace: string;
  readonly work: RecurringWork;
  /** The zone of the cron expression, in which the action's dates are read, too. Absent in calls of earlier versions. */
  readonly timezone?: string;
  /** The scheduled instant of the latest started occurrence, in epoch ms. Absent if there is none. */
  readonly lastNominal?: number;
  /** The dates of the calendars that the action's window names. Absent if it names none. */
  readonly calendars?: Calendars;
};
export type DispatchItem = {
  readonly id: string;
  readonly nominal: number | null;
  /**
   * When the object committed the dispatch (epoch ms). For a manual trigger: when an operator triggered the occurrence.
   */
  readonly at: number;
  /** True: the dispatch was sent before, and no result is known. */
  readonly isRepeat?: true;
};
export type DispatchOutcome = { readonly id: string } &
  /**
   * `isDuplicate`: the dedup key was that of an earlier action, so no action was started. `createdAt`: when the execution
   * was created (epoch ms).
   */
  (
    | { readonly kind: "taken"; readonly execution: string; readonly isDuplicate?: true; readonly createdAt?: number }
    | { readonly kind: "refused"; readonly code: Refusal["code"]; readonly message: string }
    | { readonly kind: "unreached"; readonly message: string; readonly retryAfterMs: number | null }
  );

/** The object's calls to the Worker, which reads the catalog and calls the cells. */
export type RecurringWorkPort = {
  /** Starts occurrences. The id of each start is derived from the occurrence, so a repeat is harmless. */
  dispatch(terms: DispatchSource, items: readonly DispatchItem[]): Promise<readonly DispatchOutcome[]>;
  /** Returns those of the executions that still run. */
  checkRunning(tenant: string, executions: readonly string[]): Promise<readonly string[]>;
  cancel(tenant: string, id: string, executions: readonly string[]): Promise<void>;
};

/** The projection of a recurring action to the catalog. */
export type RecurringProjection = { readonly row: RecurringRow; readonly audit: AuditRow | null };
