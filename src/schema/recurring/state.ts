// The whole of one recurring action as its object keeps it, and the rows that its occurrences leave. Plain JSON.
import type { AuditRow } from "../engine/projection.ts";
import type { RecurringSpec } from "./spec.ts";

export const recurringStatuses = ["active", "paused", "completed", "error"] as const;
export type RecurringStatus = (typeof recurringStatuses)[number];

export const occurrenceOutcomes = ["dispatched", "overlap", "missed", "paused", "excluded"] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

export const RECURRING_VERSION = 1;

/** A coming occurrence: when it is meant to be, and when it goes, which jitter makes later. */
export type Slot = { readonly nominal: number; readonly fireAt: number };

/** One instant, or all from `nominal` to `until` that had the same fate: what came of it. */
export type OccurrenceRow = {
  readonly id: string;
  /** Sorts them: the nominal instant, or the moment somebody triggered it. */
  readonly at: number;
  readonly kind: "schedule" | "trigger";
  /** null: somebody triggered it. */
  readonly nominal: number | null;
  readonly until: number | null;
  readonly count: number;
  /** There were more than anybody counted. */
  readonly isCapped: boolean;
  readonly outcome: OccurrenceOutcome;
  readonly reason: string | null;
  readonly recordedAt: number;
  /** When it was taken; null while it is on its way, and where it never went. */
  readonly dispatchedAt: number | null;
  readonly execution: string | null;
  readonly error: string | null;
};

/** Committed, and not known to be taken. */
export type PendingDispatch = {
  readonly id: string;
  readonly kind: "schedule" | "trigger";
  readonly nominal: number | null;
  readonly at: number;
  readonly tries: number;
  readonly retryAt: number;
  /** Then it is given up. */
  readonly until: number;
  readonly error: string | null;
  readonly reason: string | null;
};

/** Held until the one before has ended. */
export type Waiting = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at" | "reason">;

/** An execution that may still run; asked after only where that matters. */
export type Live = { readonly execution: string; readonly isCanceled: boolean };

/** Asking whether the one before still runs. */
export type Looking = {
  readonly askedAt: number;
  readonly failures: number;
  readonly gapMs: number;
  readonly nextAt: number;
};

/** Of a request that may come again; `occurrence`: the one it was about. */
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
  /** Since when it is paused, and the occurrence whose jitter the pause cut short. */
  readonly pause: { readonly at: number; readonly from: number | null } | null;
  readonly next: Slot | null;
  /** All occurrences up to here have been dealt with, or were of an earlier rule. */
  readonly doneUntil: number;
  readonly lastExecutedAt: number | null;
  /** Occurrences that were dispatched; those that were refused. */
  readonly count: number;
  readonly failed: number;
  readonly lastError: string | null;
  readonly skips: readonly number[];
  readonly pending: readonly PendingDispatch[];
  readonly waiting: Waiting | null;
  readonly live: readonly Live[];
  readonly looking: Looking | null;
  readonly receipts: readonly RecurringReceipt[];
  /** What a person did last, until the catalog has been told. */
  readonly audit: AuditRow | null;
  /** Counts commits; orders what the catalog is told. */
  readonly seq: number;
};
