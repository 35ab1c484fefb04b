// Projections: full rows for the catalog. Applying one twice or out of order changes nothing: the later incarnation of
// an id wins, and within one incarnation the higher seq.
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
  /** When the object wakes next; the sweeper pokes executions whose wake has passed. */
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
  /** Projected, not stored: needed by alerts only. */
  pausedAt: z.number().nullish(),
  /** The same: for a journey that has failed, or was paused by a failed action. `client`: its client, in words. */
  journey: z.object({ client: z.string().nullable() }).nullish(),
  /** Stored, not projected with the execution: quarantineRow sets it. */
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
  /** The definition handled the failure: the dead letter needs no operator. */
  handled: z.boolean(),
  /** Id of the connection of the last failed attempt; absent if it used none. */
  connection: z.string().nullish(),
  /** true: its action requests automatic retry. false: it does not, or the maximum is reached. null: no setting. */
  selfHeal: z.boolean().nullish(),
  /** When its execution was created: an id reused after retention is another incarnation. */
  incarnation: z.number(),
  /** For counters only, not stored: duration of the last attempt; absent without one. */
  tookMs: z.number().nullish(),
  /** The same: the attempts since the last retry by an operator, and how many of these timed out. */
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

/** An execution that its cell has quarantined or released. */
export const quarantineRow = z.object({
  tenant: z.string(),
  id: z.string(),
  /** The execution's creation time is between these: the caller need not know the row's key exactly. */
  createdFrom: z.number(),
  createdTo: z.number(),
  /** Since when it is quarantined, or released. */
  at: z.number(),
  /** null: released. */
  reason: z.string().nullable(),
  /** The execution was just released: a quarantine report that arrives later is outdated. */
  isBack: z.boolean().optional(),
  /** The execution's known fields, for a catalog without a row of it. */
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
