// Full rows for the catalog. Applying one twice or out of order changes nothing: the later incarnation of an id
// wins, and within one incarnation the higher seq.
import { z } from "zod";
import { recurringRow } from "../recurring/row.ts";
import { executionStatuses } from "./state.ts";
import { runStatuses } from "./run.ts";
import { triggerKinds } from "../inbound/started-by.ts";

export const executionRow = z.object({
  tenant: z.string(),
  id: z.string(),
  createdAt: z.number(),
  seq: z.number(),
  namespace: z.string(),
  definitionId: z.string(),
  definitionName: z.string(),
  definitionVersion: z.number(),
  placement: z.enum(["own", "pooled"]),
  status: z.enum(executionStatuses),
  /** Paths of the active states. */
  states: z.array(z.string()),
  correlationId: z.string().nullable(),
  updatedAt: z.number(),
  finishedAt: z.number().nullable(),
  /** When the object will wake by itself; the sweeper pokes executions for which this has passed. */
  wakeAt: z.number().nullable(),
  reason: z.string().nullable(),
  error: z.string().nullable(),
  /** The trigger that started it; absent if none did. */
  triggerId: z.string().nullish(),
  triggerKind: z.enum(triggerKinds).nullish(),
  /** The subject's key, and the next planned node with its instant; absent if there is none. */
  subject: z.string().nullish(),
  nextAt: z.number().nullish(),
  nextNode: z.string().nullish(),
  /** The execution that started it; absent if none did. */
  parent: z.string().nullish(),
  /** Only told, not kept: alerts want to know it, and lists do not. */
  pausedAt: z.number().nullish(),
  /** The same: of a journey that has failed, or was paused by an action that had. `client`: whom it is about, in words. */
  journey: z.object({ client: z.string().nullable() }).nullish(),
  /** Only kept, not told: a row of its own tells it (quarantineRow). */
  quarantine: z.string().nullish(),
  quarantinedAt: z.number().nullish(),
  erasedAt: z.number().nullish(),
});
export type ExecutionRow = z.infer<typeof executionRow>;

export const runRow = z.object({
  tenant: z.string(),
  execution: z.string(),
  id: z.string(),
  seq: z.number(),
  action: z.string(),
  type: z.string(),
  status: z.enum(runStatuses),
  attempt: z.number(),
  priority: z.number(),
  createdAt: z.number(),
  dueAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  errorType: z.string().nullable(),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  deadLetter: z.boolean(),
  costEstimate: z.number().nullable(),
  namespace: z.string(),
  /** The definition's name. */
  definition: z.string(),
  correlationId: z.string().nullable(),
  errorCode: z.string().nullable(),
  /** The definition took the failure: the dead letter needs no operator. */
  handled: z.boolean(),
  /** Id of the connection of the last failed attempt; absent if it used none. */
  connection: z.string().nullish(),
  /** true: its action lets it go out again by itself. false: it does not, or has done so often enough. null: it does not say. */
  selfHeal: z.boolean().nullish(),
  /** When its execution was created: an id that is used again after retention is another incarnation. */
  incarnation: z.number(),
  /** For counters only, not stored: duration of the last attempt; absent without one. */
  tookMs: z.number().nullish(),
  /** The same: how many attempts it took since it was last sent again by a person, and how many of these timed out. */
  tries: z.number().nullish(),
  timeouts: z.number().nullish(),
});
export type RunRow = z.infer<typeof runRow>;

export const auditRow = z.object({
  tenant: z.string(),
  /** Unique, so that a repeated projection is one row. */
  id: z.string(),
  at: z.number(),
  actor: z.string(),
  verb: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  details: z.string().nullable(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** An execution that stands apart in its cell, or does so no longer. */
export const quarantineRow = z.object({
  tenant: z.string(),
  id: z.string(),
  /** Its row was created between these: what the row's key begins with need not be known to the millisecond. */
  createdFrom: z.number(),
  createdTo: z.number(),
  /** Since when it stands apart, or does no longer. */
  at: z.number(),
  /** null: it goes on like any other. */
  reason: z.string().nullable(),
  /** It has just come back: should word of its standing apart come later than this, it is late. */
  isBack: z.boolean().optional(),
  /** What is known of it, for a catalog that has not heard of it yet. */
  row: executionRow,
});
export type QuarantineRow = z.infer<typeof quarantineRow>;

export const projectionMessage = z.object({
  v: z.literal(1),
  executions: z.array(executionRow),
  runs: z.array(runRow),
  audit: z.array(auditRow),
  quarantined: z.array(quarantineRow).optional(),
  recurring: z.array(recurringRow).optional(),
});
export type ProjectionMessage = z.infer<typeof projectionMessage>;
