// Projections: complete rows for the catalog. Of two rows of the same run, that of the later incarnation wins. Within
// an incarnation, the row with the higher `seq` wins. Repeated or reordered rows are therefore harmless.
import { z } from "zod";
import { recurringRow } from "../recurring/row.ts";
import { executionStatuses } from "./state.ts";
import { runStatuses } from "./run.ts";
import { triggerKinds } from "../inbound/started-by.ts";

const failedRun = z.object({
  run: z.string(),
  action: z.string(),
  /** The state or node in which the run was started. */
  state: z.string(),
  attempts: z.number(),
  errorType: z.string(),
  errorCode: z.string().nullable(),
  error: z.string(),
});

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
   * When the object wakes the execution next (epoch ms). Null: never. If `wakeAt` has passed, the sweeper wakes the
   * execution.
   */
  wakeAt: z.number().nullable(),
  reason: z.string().nullable(),
  error: z.string().nullable(),
  /** The id of the trigger that started the execution. Absent if no trigger did. */
  triggerId: z.string().nullish(),
  triggerKind: z.enum(triggerKinds).nullish(),
  /**
   * The subject's key. `nextAt` and `nextNode`: when the next node is planned, and its name. Each field is absent if it
   * has no value.
   */
  subject: z.string().nullish(),
  nextAt: z.number().nullish(),
  nextNode: z.string().nullish(),
  /** The id of the execution that started this one. Absent if no execution did. */
  parent: z.string().nullish(),
  /** How many permanent failures the execution has had, and the last message. Absent without failures. */
  errors: z.object({ count: z.number(), last: z.string().nullable() }).nullish(),
  /** The values of the search variables, by name. Absent if the definition declares none, or if it is unreadable. */
  search: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  /** The names of the execution's waits, such as `event:paid` or `timer`. Absent after the end. */
  waits: z.array(z.string()).nullish(),
  /**
   * The code of the error that ended the execution, or of its last permanent failure. Without a code, the type of the
   * error. Absent without an error.
   */
  errorCode: z.string().nullish(),
  /** When the execution was paused, in epoch ms. Only alerts use this field, and the catalog does not store it. */
  pausedAt: z.number().nullish(),
  /**
   * Only for alerts; the catalog does not store it. Set if a journey failed, or if a failed action paused it. `client`:
   * the name of the journey's client, which alerts show.
   */
  journey: z.object({ client: z.string().nullable() }).nullish(),
  /**
   * Only for alerts; the catalog does not store it. Set if the execution failed, or if the engine paused it. The last run
   * that failed permanently before that.
   */
  lastFailure: failedRun.nullish(),
  /** Why the execution is quarantined. Only a `quarantineRow` sets this field; projections leave it absent. */
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
  /** True: the definition has handled the failure, so the dead letter needs no operator. */
  handled: z.boolean(),
  /** The id of the connection that the last failed attempt used. Absent if it used none. */
  connection: z.string().nullish(),
  /**
   * true: the action requests automatic retry. false: it forbids automatic retry, or its maximum of retries is reached.
   * null: the action has no setting.
   */
  selfHeal: z.boolean().nullish(),
  /** The execution's creation time. A later execution that reuses the id after the retention has another one. */
  incarnation: z.number(),
  /** The duration of the last attempt in ms. Absent if no attempt was made. */
  tookMs: z.number().nullish(),
  /**
   * Only for counters; the catalog does not store it. The number of attempts since an operator's last retry.
   * `timeouts`: how many of them timed out.
   */
  tries: z.number().nullish(),
  timeouts: z.number().nullish(),
  /**
   * Only for counters, as the next fields; the catalog does not store them. The definition's version. Absent in messages
   * of earlier versions.
   */
  version: z.number().nullish(),
  /** The connection that the run's config names. Absent if it names none. */
  uses: z.string().nullish(),
  /** All ended attempts of the run, the oldest first, and when the last one ended (epoch ms). */
  tried: z
    .array(z.object({ ms: z.number().nullable(), error: z.string().optional(), code: z.string().optional() }))
    .nullish(),
  triedAt: z.number().nullish(),
  /** The time from the planned instant of the run to its first attempt in ms. Absent if it is unknown. */
  delayMs: z.number().nullish(),
  /** How many times the run was retried as a dead letter, and its attempts before. Absent if it never was. */
  redrives: z.object({ times: z.number(), attempts: z.number() }).nullish(),
  /** The recipients of the run's message, in their normal form. Absent if it sends no e-mail and no SMS. */
  recipients: z.array(z.string()).nullish(),
  /** The labels of the action. Absent without labels. */
  tags: z.array(z.string()).nullish(),
  /** Why the run is held: the reason of its hold, or "operator". Absent if it is not held. */
  held: z.string().nullish(),
  /** Only for alerts; the catalog does not store it. True: the run is a dead letter of a journey. Absent: it is not. */
  journey: z.boolean().optional(),
});
export type RunRow = z.infer<typeof runRow>;

export const auditRow = z.object({
  tenant: z.string(),
  /** A unique id. If the projection is repeated, the same row is written again. */
  id: z.string(),
  at: z.number(),
  actor: z.string(),
  verb: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  details: z.string().nullable(),
  /** The person whose key made the change. Absent in rows of older versions. */
  person: z.string().nullish(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** A cell's report that it has quarantined or released an execution. */
export const quarantineRow = z.object({
  tenant: z.string(),
  id: z.string(),
  /**
   * The execution was created between this instant and `createdTo` (epoch ms). They may differ, because the cell may
   * not know the exact instant.
   */
  createdFrom: z.number(),
  createdTo: z.number(),
  /** When the execution was quarantined or released, in epoch ms. */
  at: z.number(),
  /** Why the execution is quarantined. Null: it was released. */
  reason: z.string().nullable(),
  /** True: the execution was released. If a quarantine report that was sent earlier arrives later, it is ignored. */
  isBack: z.boolean().optional(),
  /** The known fields of the execution. They are inserted if the catalog has no row of the execution. */
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
