// The worker's view: API shapes with the paths and names of an operator's console for a worker that reads a stream.
// Here, "execution" means one run of an action.
import { z } from "zod";
import { errorOf } from "../action-error.ts";
import { runWord, statusFilter } from "./statuses.ts";
import { triggerIdText } from "#schema/ids.ts";
import { deliveryStatuses } from "#schema/inbound/delivery.ts";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";

export const workerStatus = z
  .object({
    consumerName: z.string().meta({ description: "The Worker that consumes the queue." }),
    running: z.boolean().meta({ description: "false: the catalog is not available, or the tenant is suspended." }),
    streamInfo: z.object({
      streamKey: z.string().meta({ description: "The queue that carries actions." }),
      consumerGroup: z.string(),
      streamInfo: z.string().meta({ description: "The waiting work in words." }),
    }),
  })
  .meta({ id: "WorkerStatus" });
export type ApiWorkerStatus = z.infer<typeof workerStatus>;

const count = z.number().int();
export const workerStatistics = z
  .object({
    queued: count,
    running: count,
    ok: count,
    retry: count,
    failed: count,
    canceled: count,
    byStatus: z.object({
      scheduled: count,
      queued: count,
      running: count,
      retry: count,
      ok: count,
      failed: count,
      canceled: count,
      skipped: count,
    }),
    since: value.instant
      .nullable()
      .meta({
        description:
          "Only executions since this instant are counted. It is later than the requested instant if there are too many executions.",
      }),
  })
  .meta({ id: "WorkerStatistics", description: "`queued` includes scheduled runs; `canceled` includes skipped ones." });
export type ApiWorkerStatistics = z.infer<typeof workerStatistics>;

const backlog = z.object({ messages: count, bytes: count, oldestMessageAt: value.instant.nullable() });

export const streamInfo = z
  .object({
    ...workerStatus.shape.streamInfo.shape,
    queued: count.meta({ description: "The number of the tenant's runs that wait in a queue." }),
    retry: count.meta({ description: "The number of the tenant's runs that wait for a retry." }),
    oldestQueuedAt: value.instant.nullable(),
    queues: z.array(
      z.object({
        queue: z.string(),
        batchSize: count,
        batchTimeoutSeconds: count,
        retriesMax: count,
        deadLetterQueue: z.string(),
        backlog: backlog
          .nullable()
          .meta({ description: "The depth of the queue for all tenants. Only with the root key." }),
      }),
    ),
  })
  .meta({ id: "StreamInfo" });
export type ApiStreamInfo = z.infer<typeof streamInfo>;

export const streamInitialized = z
  .object({ initialized: z.literal(true), streams: z.array(z.string()) })
  .meta({ id: "StreamInitialized" });

const summary = {
  id: z.string().meta({ description: "The id of the execution." }),
  runId: z.string(),
  actionInstanceId: z.string().nullable().meta({ description: "The trigger that started the execution." }),
  activationModeId: z.enum(triggerKinds).nullable().meta({ description: "The kind of the trigger." }),
  areaId: z.string().meta({ description: "The namespace of the trigger." }),
  type: z.string(),
  action: z.string(),
  status: runWord,
  attempt: count,
  queuedAt: value.instant,
  dueAt: value.instant.nullable().meta({ description: "When the next attempt starts automatically." }),
  finishedAt: value.instant.nullable(),
  correlationId: z.string().nullable(),
};

export const workerExecutionSummary = z
  .object({ ...summary, error: errorOf.nullable() })
  .meta({ id: "WorkerExecutionSummary" });
export type ApiWorkerExecutionSummary = z.infer<typeof workerExecutionSummary>;

export const workerExecution = z
  .object({
    ...summary,
    startedAt: value.instant.nullable(),
    inputPayload: value.anyObject,
    outputPayload: value.anyObject
      .nullable()
      .meta({
        description: "`service`, `action`, `type`, `executedAt`, `executionDuration`, and the provider's response.",
      }),
    error: errorOf.nullable(),
    dedupKey: z.string().nullable(),
  })
  .meta({ id: "WorkerExecution" });
export type ApiWorkerExecution = z.infer<typeof workerExecution>;

export const workerStatisticsQuery = z.strictObject({
  ...query.plainQuery.shape,
  since: query.instantQuery.optional().meta({ description: "Only executions started at or after this instant." }),
});

export const workerExecutionQuery = query.pageQueryWith({
  status: statusFilter
    .optional()
    .meta({ description: "A status as answers show it, such as QUEUED, or a status of runs, such as scheduled." }),
  areaId: value.namespace.optional().meta({ description: "The namespace of the trigger." }),
  actionInstanceId: triggerIdText.optional().meta({ description: "A trigger's id." }),
  activationModeId: z.enum(triggerKinds).optional().meta({ description: "A trigger's kind." }),
  dueBefore: query.instantQuery
    .optional()
    .meta({
      description:
        "Only runs whose next attempt is due at or before this instant. With `status=retry`, these are the runs that are due for a retry.",
    }),
});

export const testEventQuery = z.strictObject({
  ...query.changeQuery.shape,
  actionInstanceId: triggerIdText.meta({ description: "The trigger's id." }),
  areaId: value.namespace
    .optional()
    .meta({
      description: "The namespace of the trigger. The request is refused if the trigger has another namespace.",
    }),
});

export const testEvent = z
  .object({
    eventId: z.string().nullable().meta({ description: "The delivery of the trigger; null if none was made." }),
    executionId: z.string().nullable(),
    status: z.enum(deliveryStatuses),
    reason: z.object({ code: z.string(), message: z.string() }).nullable(),
    dryRun: z.boolean(),
  })
  .meta({ id: "WorkerTestEvent" });
export type ApiWorkerTestEvent = z.infer<typeof testEvent>;

const published = {
  actionInstanceId: triggerIdText.meta({ description: "The trigger's id." }),
  areaId: testEventQuery.shape.areaId,
};

export const executionEventBody = z
  .strictObject({
    executionId: value.idempotencyKey
      .optional()
      .meta({ description: "The publisher's id of the execution. A second event with this id is a repeat." }),
    ...published,
    payload: value.anyObject
      .optional()
      .meta({ description: "The event, which becomes `request.body` of the trigger's mapping. Default: {}." }),
  })
  .meta({
    id: "WorkerExecutionEvent",
    examples: [
      {
        executionId: "7d4f",
        actionInstanceId: "trg_01KABCDEFGHJKMNPQRSTVWXYZ0",
        areaId: "default",
        payload: { total: 7 },
      },
    ],
  });

export type ExecutionEventBody = z.input<typeof executionEventBody>;

export const newExecutionBody = z
  .strictObject({
    ...published,
    activationModeId: z.enum(triggerKinds).nullable().optional().meta({ description: "The trigger's kind." }),
    inputPayload: value.anyObject
      .optional()
      .meta({ description: "The input, which becomes `request.body` of the trigger's mapping. Default: {}." }),
    correlationId: value.correlationId.optional().meta({ description: "Groups related executions." }),
  })
  .meta({
    id: "WorkerNewExecution",
    examples: [
      { actionInstanceId: "trg_01KABCDEFGHJKMNPQRSTVWXYZ0", activationModeId: "webhook", inputPayload: { total: 7 } },
    ],
  });

export type NewExecutionBody = z.input<typeof newExecutionBody>;

export const cancelQuery = z.strictObject({ ...query.changeQuery.shape, reason: value.reason.optional() });
