// Recurring state: what a recurring action's object stores, and the rows of its occurrences. Plain JSON.
import type { AuditRow } from "../engine/projection.ts";
import type { RecurringSpec } from "./spec.ts";

export const recurringStatuses = ["active", "paused", "completed", "error"] as const;
export type RecurringStatus = (typeof recurringStatuses)[number];

export const occurrenceOutcomes = ["dispatched", "deduplicated", "overlap", "missed", "paused", "excluded"] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

export const RECURRING_VERSION = 1;

/**
 * A future occurrence. `nominal`: its scheduled instant. `fireAt`: the instant with jitter at which it is dispatched
 * (epoch ms).
 */
export type Slot = { readonly nominal: number; readonly fireAt: number };

/** One occurrence. Several consecutive occurrences with the same outcome share one row, from `nominal` to `until`. */
export type OccurrenceRow = {
  readonly id: string;
  /** The sort key, in epoch ms: the scheduled instant. For a manual trigger, the instant when it was triggered. */
  readonly at: number;
  readonly kind: "schedule" | "trigger";
  /** The scheduled instant, in epoch ms. Null for a manual trigger. */
  readonly nominal: number | null;
  readonly until: number | null;
  readonly count: number;
  /** True: the row covers more occurrences than its count says, because counting stopped at the maximum. */
  readonly isCapped: boolean;
  readonly outcome: OccurrenceOutcome;
  readonly reason: string | null;
  readonly recordedAt: number;
  /** When the execution was accepted (epoch ms). Null while the dispatch is in progress, or if it was never sent. */
  readonly dispatchedAt: number | null;
  readonly execution: string | null;
  readonly error: string | null;
};

/** A dispatch that the object has committed but that no cell has confirmed yet. */
export type PendingDispatch = {
  readonly id: string;
  readonly kind: "schedule" | "trigger";
  readonly nominal: number | null;
  readonly at: number;
  readonly tries: number;
  readonly retryAt: number;
  /** When the object gives up the dispatch, in epoch ms. */
  readonly until: number;
  readonly error: string | null;
  readonly reason: string | null;
};

/** An occurrence that waits until the previous one has ended. */
export type WaitingOccurrence = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at" | "reason">;

/**
 * An occurrence that has started an action or an execution of a definition. `nominal`: its scheduled instant; null for a
 * manual trigger. `createdAt`: when the execution was created (epoch ms), which is part of its key in the catalog; null
 * if the object does not know it.
 */
export type StartedOccurrence = {
  readonly nominal: number | null;
  readonly execution: string;
  readonly createdAt: number | null;
};

/** An execution that may still run. The object checks whether it does only if the overlap policy depends on it. */
export type LiveExecution = { readonly execution: string; readonly isCanceled: boolean };

/** A check whether executions of previous occurrences still run. */
export type RunningCheck = {
  readonly askedAt: number;
  readonly failures: number;
  readonly gapMs: number;
  readonly nextAt: number;
};

/** The receipt of a request that the client may repeat. `occurrence`: the occurrence that was triggered or skipped. */
export type RecurringReceipt = {
  readonly inputId: string;
  readonly fingerprint: string;
  readonly occurrence: Pick<OccurrenceRow, "at" | "id"> | null;
};

export type RecurringState = {
  readonly v: typeof RECURRING_VERSION;
  readonly tenant: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly spec: RecurringSpec;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: RecurringStatus;
  readonly statusReason: string | null;
  /**
   * Set while the recurring action is paused. `at`: since when (epoch ms). `from`: the occurrence whose jitter the
   * pause interrupted. Null if it is active.
   */
  readonly pause: { readonly at: number; readonly from: number | null } | null;
  readonly next: Slot | null;
  /** All occurrences up to this time (epoch ms) are processed, or belong to an earlier schedule. */
  readonly doneUntil: number;
  readonly lastExecutedAt: number | null;
  /** How many occurrences were dispatched. `failed`: for how many the dispatch was refused. */
  readonly count: number;
  readonly failed: number;
  readonly lastError: string | null;
  readonly skips: readonly number[];
  readonly pending: readonly PendingDispatch[];
  readonly waiting: WaitingOccurrence | null;
  readonly live: readonly LiveExecution[];
  /** The latest started occurrences, the oldest first. Absent in states of earlier versions. */
  readonly recent?: readonly StartedOccurrence[];
  readonly looking: RunningCheck | null;
  readonly receipts: readonly RecurringReceipt[];
  /** The audit entry of an operator's last change. Null after it was projected. */
  readonly audit: AuditRow | null;
  /** The number of commits. It orders the projections. */
  readonly seq: number;
};
