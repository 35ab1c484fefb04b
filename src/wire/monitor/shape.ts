// The monitor's view of executions: API shapes with the paths and names that monitors of journeys use. A journey
// instance is an execution, an item of the queue is a run, and a module is an action.
import { z } from "zod";
import { ATTEMPTS_MAX } from "#schema/limits/run-attempts.ts";
import { DRAIN_RUNS } from "#schema/limits/upkeep/queue-drains.ts";
import { TREND_DAYS } from "#schema/limits/upkeep/statistics.ts";
import * as value from "#schema/values.ts";
import { progress, scheduledNode } from "../executions/progress.ts";
import { errorOf } from "../action-error.ts";
import * as query from "../query.ts";

const count = z.number().int();

export function envelope<Data extends z.ZodType>(data: Data, id: string) {
  return z.object({ success: z.literal(true), data }).meta({ id });
}

export const standingWord = z
  .enum(["active", "paused", "completed", "failed", "waiting"])
  .meta({ description: "`failed` includes canceled executions." });

export const monitorStatus = envelope(
  z.object({
    status: standingWord,
    currentNode: z.string().optional(),
    completedNodes: z.array(z.string()),
    scheduledNodes: z.array(scheduledNode),
    variables: value.anyObject,
    errorCount: count.meta({ description: "The number of actions that failed permanently." }),
    lastError: z.string().optional(),
    nextExecution: value.instant.optional(),
    progress,
  }),
  "MonitorStatus",
);
export type ApiMonitorStatus = z.infer<typeof monitorStatus>;

export const processBody = z
  .strictObject({
    batchSize: z
      .number()
      .int()
      .min(1)
      .max(DRAIN_RUNS.most)
      .optional()
      .meta({ description: `Maximum number of runs. Default: ${DRAIN_RUNS.usual}.` }),
    maxRetries: z
      .number()
      .int()
      .min(0)
      .max(ATTEMPTS_MAX - 1)
      .optional()
      .meta({ description: "Runs with a higher number of retries are not started." }),
  })
  .meta({ id: "ProcessExecutions", examples: [{ batchSize: 10, maxRetries: 3 }] });
export type ProcessBody = z.input<typeof processBody>;

export const processedExecutions = envelope(
  z.object({
    processed: count.meta({
      description: "The number of runs that were started; on a dry run, that would be started.",
    }),
    successful: count,
    failed: count.meta({
      description: "The number of failed attempts. The retry policies decide whether these attempts are retried.",
    }),
    queueDepth: count.meta({ description: "The number of due runs that have not started." }),
    nextScheduled: value.instant.optional(),
  }),
  "ProcessedExecutions",
);
export type ApiProcessed = z.infer<typeof processedExecutions>;

export const queueItemId = z
  .string()
  .regex(/^exe_[A-Za-z0-9_-]{1,96}\.\d{1,9}\.\d{1,9}$/, {
    message: "must be an execution's id, a dot and a run's id, such as exe_01KABC.3.0",
  })
  .meta({ examples: ["exe_01KABCDEFGHJKMNPQRSTVWXYZ0.3.0"] });

export const retryItemBody = z
  .strictObject({
    resetRetryCount: z
      .boolean()
      .optional()
      .meta({
        description:
          "false: the run gets exactly one more attempt. true: the retry policy starts again. Default: true.",
      }),
    reason: value.reason.optional(),
  })
  .meta({ id: "RetryQueueItem", examples: [{ resetRetryCount: false }] });
export type RetryItemBody = z.input<typeof retryItemBody>;

const queueWord = z.enum(["pending", "running", "completed", "failed", "cancelled"]);
export const retriedItem = envelope(
  z.object({
    message: z.literal("Execution retried"),
    queueItemId: z.string(),
    executionStatus: queueWord.meta({ description: "`cancelled` includes skipped actions." }),
    retryCount: count.meta({ description: "The total number of retries." }),
    scheduledFor: value.instant.nullable(),
  }),
  "RetriedQueueItem",
);
export type ApiRetried = z.infer<typeof retriedItem>;

export const controlledExecution = envelope(
  z.object({
    status: standingWord,
    affectedNodes: count.meta({ description: "The nodes that the pause holds, or that the resume continues." }),
  }),
  "ControlledExecution",
);
export type ApiControlled = z.infer<typeof controlledExecution>;

const rate = z
  .number()
  .min(0)
  .max(1)
  .meta({
    description:
      "The share of successful actions among the actions that succeeded or failed. Actions with an invalid config are not counted. 1 if there were none.",
  });

export const monitorMetrics = envelope(
  z.object({
    today: z.object({
      totalExecutions: count.meta({ description: "The number of actions that ended today (UTC) with any result." }),
      successRate: rate,
      avgExecutionTime: z.number().meta({ description: "The average duration of attempts in milliseconds." }),
      queueDepth: count,
    }),
    trends: z
      .array(z.object({ date: z.iso.date(), executions: count, successRate: rate }))
      .meta({ description: "One entry per day, the oldest day first and today last." }),
    errors: z
      .array(z.object({ moduleType: z.string(), errorCount: count, lastError: z.string() }))
      .meta({ description: "The errors on the days of the trend, the most frequent first." }),
  }),
  "MonitorMetrics",
);
export type ApiMonitorMetrics = z.infer<typeof monitorMetrics>;

export const metricsQuery = z.strictObject({
  ...query.plainQuery.shape,
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(TREND_DAYS.most)
    .default(TREND_DAYS.usual)
    .meta({ description: "The number of days, including today." }),
});

export const metricsDay = z
  .object({
    date: z.iso.date(),
    total: count.meta({ description: "The sum of `successful`, `failed` and `refused`." }),
    successful: count,
    failed: count,
    refused: count.meta({ description: "The number of actions with an invalid config. They are not in `failed`." }),
    retryExecutions: count.meta({ description: "The number of actions with more than one attempt." }),
    avgExecutionTimeMs: z.number(),
    queueDepthMax: count,
    queueDepthAvg: z.number(),
    errorRate: z.number().min(0).max(1).meta({ description: "1 minus `successRate`." }),
    successRate: rate,
  })
  .meta({ id: "MetricsDay" });
export type ApiMetricsDay = z.infer<typeof metricsDay>;
export const metricsDays = z.object({ data: z.array(metricsDay) }).meta({ id: "MetricsDays" });

export const moduleAttempt = z
  .object({
    queueItemId: z.string(),
    journeyInstanceId: z.string(),
    node: z.string().nullable(),
    moduleType: z.string().nullable(),
    attempt: count.meta({
      description: "The number of the attempt. 0 means that the action failed before its first attempt.",
    }),
    executionStatus: z.enum(["completed", "failed"]),
    inputData: value.anyObject
      .nullable()
      .meta({
        description:
          "The config that every attempt sends, with credentials redacted; null if no attempt was made or the config is no longer stored.",
      }),
    outputData: value.anyJson,
    executionTimeMs: z.number().nullable(),
    errorDetails: errorOf.nullable(),
    executedAt: value.instant,
  })
  .meta({ id: "ModuleAttempt" });
export type ApiModuleAttempt = z.infer<typeof moduleAttempt>;

export const moduleHistory = z
  .object({ success: z.literal(true), data: z.array(moduleAttempt), nextCursor: z.string().nullable() })
  .meta({ id: "ModuleHistory" });
export type ApiModuleHistory = z.infer<typeof moduleHistory>;
