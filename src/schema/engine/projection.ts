// Projections: complete rows for the catalog. Of two rows the row of the later incarnation wins, and within an
// incarnation the row with the higher `seq`. Repeated or reordered rows are therefore harmless.
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
  /** The paths of the active states. */
  states: z.array(z.string()),
  correlationId: z.string().nullable(),
  updatedAt: z.number(),
  finishedAt: z.number().nullable(),
  /**
   * When the object wakes the execution next (epoch ms); null: never. The sweeper wakes executions whose `wakeAt` has
   * passed.
   */
  wakeAt: z.number().nullable(),
  reason: z.string().nullable(),
  error: z.string().nullable(),
  /** The trigger that started the execution; absent without one. */
  triggerId: z.string().nullish(),
  triggerKind: z.enum(triggerKinds).nullish(),
  /**
   * The subject's key. `nextAt` and `nextNode`: the next planned node. Each field is absent if there is no such value.
   */
  subject: z.string().nullish(),
  nextAt: z.number().nullish(),
  nextNode: z.string().nullish(),
  /** The execution that started this execution; absent without one. */
  parent: z.string().nullish(),
  /** When the execution was paused. Only alerts use this field; the catalog does not store it. */
  pausedAt: z.number().nullish(),
  /**
   * Only for alerts, not stored in the catalog. Set if a journey failed, or if a failed action paused it. `client`: a
   * name to show to people.
   */
  journey: z.object({ client: z.string().nullable() }).nullish(),
  /**
   * Why the execution is quarantined. Projections of the execution leave this field absent; only a `quarantineRow` sets
   * it.
   */
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
  /** True: the definition handled the failure, so the dead letter needs no operator. */
  handled: z.boolean(),
  /** The connection's id of the last failed attempt; absent if the attempt used none. */
  connection: z.string().nullish(),
  /**
   * true: the action requests automatic retry. false: it does not, or its maximum of retries is reached. null: the
   * action has no setting.
   */
  selfHeal: z.boolean().nullish(),
  /**
   * Creation time of the execution. It distinguishes this execution from a later execution that reuses the id after the
   * retention.
   */
  incarnation: z.number(),
  /**
   * Only for counters, not stored in the catalog: the duration of the last attempt in ms; absent without an attempt.
   */
  tookMs: z.number().nullish(),
  /**
   * Only for counters, not stored in the catalog: the attempts since an operator's last retry, and how many of them
   * timed out.
   */
  tries: z.number().nullish(),
  timeouts: z.number().nullish(),
});
export type RunRow = z.infer<typeof runRow>;

export const auditRow = z.object({
  tenant: z.string(),
  /** A unique id, so that a repeated projection writes one row. */
  id: z.string(),
  at: z.number(),
  actor: z.string(),
  verb: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  details: z.string().nullable(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** The report of a cell that it has quarantined or released an execution. */
export const quarantineRow = z.object({
  tenant: z.string(),
  id: z.string(),
  /**
   * The execution was created between these two instants (epoch ms), because the cell may not know the exact instant.
   */
  createdFrom: z.number(),
  createdTo: z.number(),
  /** When the execution was quarantined or released, in epoch ms. */
  at: z.number(),
  /** Why the execution is quarantined; null: it is released. */
  reason: z.string().nullable(),
  /** True: the row reports a release. A quarantine report that was sent earlier but arrives later is outdated. */
  isBack: z.boolean().optional(),
  /** The known fields of the execution, for the case that the catalog has no row of the execution. */
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
