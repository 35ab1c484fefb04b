// Recurring state: one recurring action as its object stores it, and the rows of its occurrences. Plain JSON.
import type { AuditRow } from "../engine/projection.ts";
import type { RecurringSpec } from "./spec.ts";

export const recurringStatuses = ["active", "paused", "completed", "error"] as const;
export type RecurringStatus = (typeof recurringStatuses)[number];

export const occurrenceOutcomes = ["dispatched", "overlap", "missed", "paused", "excluded"] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

export const RECURRING_VERSION = 1;

/** A future occurrence: its scheduled instant, and when it fires, which jitter delays. */
export type Slot = { readonly nominal: number; readonly fireAt: number };

/** One instant, or all from `nominal` to `until` with the same result. */
export type OccurrenceRow = {
  readonly id: string;
  /** The sort key: the scheduled instant, or the moment of a manual trigger. */
  readonly at: number;
  readonly kind: "schedule" | "trigger";
  /** null: triggered manually. */
  readonly nominal: number | null;
  readonly until: number | null;
  readonly count: number;
  /** There were more than were counted. */
  readonly isCapped: boolean;
  readonly outcome: OccurrenceOutcome;
  readonly reason: string | null;
  readonly recordedAt: number;
  /** When it was accepted; null while it is in progress, and if it was never sent. */
  readonly dispatchedAt: number | null;
  readonly execution: string | null;
  readonly error: string | null;
};

/** Committed, and not known to be accepted. */
export type PendingDispatch = {
  readonly id: string;
  readonly kind: "schedule" | "trigger";
  readonly nominal: number | null;
  readonly at: number;
  readonly tries: number;
  readonly retryAt: number;
  /** It is given up then. */
  readonly until: number;
  readonly error: string | null;
  readonly reason: string | null;
};

/** Held until the previous one has ended. */
export type Waiting = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at" | "reason">;

/** An execution that may still run; checked only if that matters. */
export type Live = { readonly execution: string; readonly isCanceled: boolean };

/** A check whether the previous one still runs. */
export type Looking = {
  readonly askedAt: number;
  readonly failures: number;
  readonly gapMs: number;
  readonly nextAt: number;
};

/** For a request that may be repeated; `occurrence`: the one it was about. */
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
  /** Since when it is paused, and the occurrence whose jitter the pause interrupted. */
  readonly pause: { readonly at: number; readonly from: number | null } | null;
  readonly next: Slot | null;
  /** All occurrences up to here are processed, or belong to an earlier rule. */
  readonly doneUntil: number;
  readonly lastExecutedAt: number | null;
  /** Dispatched occurrences, and refused ones. */
  readonly count: number;
  readonly failed: number;
  readonly lastError: string | null;
  readonly skips: readonly number[];
  readonly pending: readonly PendingDispatch[];
  readonly waiting: Waiting | null;
  readonly live: readonly Live[];
  readonly looking: Looking | null;
  readonly receipts: readonly RecurringReceipt[];
  /** The last operator change, until it is projected. */
  readonly audit: AuditRow | null;
  /** Counts commits; orders its projections. */
  readonly seq: number;
};
