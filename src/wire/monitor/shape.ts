// The monitor's view of executions, on the wire: paths, names and words that a journey's monitor knows. What it calls a
// journey instance is an execution here, an item of its queue a run, and a module an action.
import { z } from "zod";
import { limits } from "#schema/limits.ts";
import { DRAIN_RUNS, TREND_DAYS } from "#schema/limits/upkeep.ts";
import * as value from "#schema/values.ts";
import { progress, scheduledNode } from "../executions/standing.ts";
import { errorOf } from "../history/shape.ts";
import * as query from "../query.ts";

const count = z.number().int();

export function envelope<Data extends z.ZodType>(data: Data, id: string) {
  return z.object({ success: z.literal(true), data }).meta({ id });
}

export const standingWord = z.enum(["active", "paused", "completed", "failed", "waiting"]).meta({
  description: "`failed` is also said of what was canceled.",
});

export const monitorStatus = envelope(
  z.object({
    status: standingWord,
    currentNode: z.string().optional(),
    completedNodes: z.array(z.string()),
    scheduledNodes: z.array(scheduledNode),
    variables: value.anyObject,
    errorCount: count.meta({ description: "Actions that failed for good." }),
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
      .meta({ description: `How many runs at the most. Default: ${DRAIN_RUNS.usual}.` }),
    maxRetries: z
      .number()
      .int()
      .min(0)
      .max(limits.attemptsMax - 1)
      .optional()
      .meta({ description: "Runs whose next try would be a later retry than this are left to themselves." }),
  })
  .meta({ id: "ProcessExecutions", examples: [{ batchSize: 10, maxRetries: 3 }] });
export type ProcessBody = z.input<typeof processBody>;

export const processed = envelope(
  z.object({
    processed: count.meta({ description: "Runs taken up; on a dry run, those that would be." }),
    successful: count,
    failed: count.meta({ description: "Attempts that failed: their policies decide whether they are tried again." }),
    queueDepth: count.meta({ description: "Runs that are due and not begun." }),
    nextScheduled: value.instant.optional(),
  }),
  "ProcessedExecutions",
);
export type ApiProcessed = z.infer<typeof processed>;

export const queueItemId = z
  .string()
  .regex(/^exe_[A-Za-z0-9_-]{1,96}\.\d{1,9}\.\d{1,9}$/, {
    message: "an execution's id, a dot and a run's, such as exe_01KABC.3.0",
  })
  .meta({ examples: ["exe_01KABCDEFGHJKMNPQRSTVWXYZ0.3.0"] });

export const retryItemBody = z
  .strictObject({
    resetRetryCount: z.boolean().optional().meta({
      description: "false: exactly one more try, whatever its policy says. Otherwise its policy begins anew.",
    }),
    reason: value.reason.optional(),
  })
  .meta({ id: "RetryQueueItem", examples: [{ resetRetryCount: false }] });
export type RetryItemBody = z.input<typeof retryItemBody>;

const queueWord = z.enum(["pending", "running", "completed", "failed", "cancelled"]);
export const retried = envelope(
  z.object({
    message: z.literal("Execution retried"),
    queueItemId: z.string(),
    executionStatus: queueWord.meta({ description: "`cancelled` is also said of what was skipped." }),
    retryCount: count.meta({ description: "Tries beyond the first, ever." }),
    scheduledFor: value.instant.nullable(),
  }),
  "RetriedQueueItem",
);
export type ApiRetried = z.infer<typeof retried>;

export const controlled = envelope(
  z.object({
    status: standingWord,
    affectedNodes: count.meta({ description: "Nodes that are held by the pause, or go on." }),
  }),
  "ControlledExecution",
);
export type ApiControlled = z.infer<typeof controlled>;

const rate = z.number().min(0).max(1).meta({
  description: "Successful of all that were due, but for those refused for their config. 1 where there were none.",
});

export const monitorMetrics = envelope(
  z.object({
    today: z.object({
      totalExecutions: count.meta({ description: "Actions that ended today (UTC), well or not." }),
      successRate: rate,
      avgExecutionTime: z.number().meta({ description: "Milliseconds, of the last attempts." }),
      queueDepth: count,
    }),
    trends: z.array(z.object({ date: z.iso.date(), executions: count, successRate: rate })).meta({
      description: "The oldest day first, today last.",
    }),
    errors: z
      .array(z.object({ moduleType: z.string(), errorCount: count, lastError: z.string() }))
      .meta({ description: "In the days of the trend, the most frequent first." }),
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
    .meta({ description: "How many days, today included." }),
});

export const metricsDay = z
  .object({
    date: z.iso.date(),
    total: count,
    successful: count,
    failed: count,
    refused: count.meta({ description: "Of those failed, for what their config said." }),
    retryExecutions: count.meta({ description: "Those that took more than one try." }),
    avgExecutionTimeMs: z.number(),
    queueDepthMax: count,
    queueDepthAvg: z.number(),
    errorRate: z.number().min(0).max(1),
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
    attempt: count.meta({ description: "0: it failed before it was tried." }),
    executionStatus: z.enum(["completed", "failed"]),
    inputData: value.anyObject.nullable().meta({
      description: "The config as it was frozen, credentials blotted out; null where it never was, or is not kept.",
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
