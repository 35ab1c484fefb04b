// Recurring rows: the complete row of a recurring action in the catalog. Of two rows, the one with the higher `seq`
// wins.
import { z } from "zod";
import type { FollowedCalendars, RecurringSpec } from "./spec.ts";
import { recurringStatuses, type RecurringState, type StartedOccurrence } from "./state.ts";

/** The spec was checked when the client sent it. So only its type is checked here. */
const spec = z.custom<RecurringSpec>((value) => typeof value === "object" && value !== null);

/** The object writes these items, so only their type is checked here. */
const started = z.custom<StartedOccurrence>((value) => typeof value === "object" && value !== null);

export const recurringRow = z.object({
  tenant: z.string(),
  id: z.string(),
  namespace: z.string(),
  seq: z.number(),
  status: z.enum(recurringStatuses),
  statusReason: z.string().nullable(),
  nextAt: z.number().nullable(),
  /** When the object dispatches the next occurrence (epoch ms). With jitter, this is later than `nextAt`. */
  wakeAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  count: z.number(),
  failed: z.number(),
  lastError: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  fingerprint: z.string(),
  spec,
  /** The latest started occurrences. Absent in rows of earlier versions. */
  recent: z.array(started).readonly().nullish(),
  /** The calendars that the recurring action follows, each with the time of the dates that it has (epoch ms). */
  calendars: z.record(z.string(), z.number()).readonly().nullish(),
});
export type RecurringRow = z.infer<typeof recurringRow>;

export function rowOf(state: Omit<RecurringState, "receipts" | "audit" | "looking">): RecurringRow {
  const { tenant, id, seq, status, statusReason, next, lastExecutedAt, count, failed, lastError } = state;
  // The dates are not part of the row, because each projection would contain them.
  const { calendars, ...spec } = state.spec;
  return {
    tenant,
    id,
    namespace: spec.namespace,
    seq,
    status,
    statusReason,
    lastAt: lastExecutedAt,
    count,
    failed,
    nextAt: next?.nominal ?? null,
    wakeAt: next?.fireAt ?? null,
    lastError,
    fingerprint: state.fingerprint,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    spec,
    recent: state.recent ?? [],
    // Absent, not null, because the catalog would store the JSON of null.
    ...(calendars && { calendars: timesOf(calendars) }),
  };
}

function timesOf(calendars: FollowedCalendars): { readonly [name: string]: number } {
  return Object.fromEntries(Object.entries(calendars).map(([name, { since }]) => [name, since]));
}
