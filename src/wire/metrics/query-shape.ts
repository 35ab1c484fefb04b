// Metrics query: API shapes of grouped figures.
import { z } from "zod";
import { FIGURE_GROUPS_SHOWN } from "#schema/limits/upkeep/statistics.ts";
import { figureDimensions, figureSpans, type FigureDimension } from "#schema/metrics/query.ts";
import { instant } from "#schema/values.ts";
import * as query from "../query.ts";

const dimensions = z
  .string()
  .refine((text) => text.split(",").every(isDimension), {
    message: `must be dimensions separated by commas: ${figureDimensions.join(", ")}`,
  })
  .transform((text) => text.split(",").filter(isDimension));

function isDimension(text: string): text is FigureDimension {
  return figureDimensions.some((each) => each === text);
}

const name = z.string().min(1).max(100).optional();

export const figuresQuery = query.plainQuery.extend({
  from: query.instantQuery
    .optional()
    .meta({
      description:
        "The begin of the range, rounded down to the hour or to midnight UTC. Default: 24 hours before `to`.",
    }),
  to: query.instantQuery.optional().meta({ description: "The end of the range. Default: now." }),
  step: z
    .enum(figureSpans)
    .default("none")
    .meta({
      description:
        "The length of each point of a series. Hours are kept for 8 days. Default: none, which is no series.",
    }),
  groupBy: dimensions
    .optional()
    .meta({
      description: `Separated by commas: ${figureDimensions.join(", ")}. Default: one group with all figures.`,
      examples: ["definition,version"],
    }),
  compare: z
    .enum(["previous"])
    .optional()
    .meta({ description: "`previous`: also returns the figures of the range before, which has the same length." }),
  definition: name.meta({ description: "A definition's name." }),
  version: z.coerce.number().int().min(0).optional().meta({ description: "A version of definitions." }),
  type: name.meta({ description: "An action type." }),
  action: name.meta({ description: "An action's id." }),
  connection: name.meta({ description: "A connection, as configs name it." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(FIGURE_GROUPS_SHOWN.most)
    .default(FIGURE_GROUPS_SHOWN.usual)
    .meta({ description: "The maximum number of groups, the largest first. `other` adds up the remaining groups." }),
});

const count = z.number().int();
const rate = z.number().min(0).max(1).nullable();
const ms = z.number().nullable();

const durations = z
  .object({ count, average: ms, min: ms, p50: ms, p95: ms, p99: ms, max: ms })
  .meta({ id: "FigureDurations", description: "In milliseconds; null without values. Percentiles are within 2.2 %." });

export const figures = z
  .object({
    totalExecutions: count.meta({
      description: "The runs of actions that ended with a result: the sum of `ok`, `failed` and `refused`.",
    }),
    outcomes: z
      .object({ ok: count, failed: count, refused: count, canceled: count, skipped: count, expired: count })
      .meta({
        description: "How runs ended. `refused`: the config is invalid. `expired`: the run could not start in time.",
      }),
    successRate: rate.meta({ description: "`ok / (ok + failed)`; null if both are 0." }),
    errorRate: rate.meta({ description: "1 minus `successRate`." }),
    attempts: count.meta({ description: "The ended attempts, also of runs that have not ended." }),
    timeouts: count,
    timeoutRate: rate.meta({ description: "The share of timeouts among the attempts; null without attempts." }),
    retried: count.meta({ description: "The number of runs with more than one attempt." }),
    retryRate: rate.meta({
      description: "The share of retried runs among the ended runs with an attempt; null without such runs.",
    }),
    averageRetries: z.number().nullable().meta({ description: "The average number of retries of the same runs." }),
    averageLatency: ms.meta({
      description: "The average duration of attempts in milliseconds; null without attempts.",
    }),
    p50Latency: ms,
    p95Latency: ms,
    p99Latency: ms,
    maxLatency: ms,
    startDelay: durations.meta({ description: "The time from the planned instant of runs to their first attempt." }),
    totalCost: z.number().meta({ description: "The sum of the prices of attempts." }),
    costPerExecution: z.number().nullable().meta({ description: "`totalCost / totalExecutions`; null if this is 0." }),
    deadLetters: count.meta({ description: "New dead letters." }),
    redriven: count.meta({ description: "Dead letters that were retried." }),
    errorTypes: z
      .record(z.string(), count)
      .meta({ description: "Failed attempts by error type. `*` represents rare types." }),
    errors: z
      .array(z.object({ type: z.string(), code: z.string().nullable(), attempts: count, failures: count }))
      .meta({ description: "Errors by type and code: failed attempts, and runs that failed permanently." }),
  })
  .meta({ id: "ActionFigures" });
export type ApiFigures = z.infer<typeof figures>;

const executions = z
  .object({ started: count, completed: count, failed: count, canceled: count, duration: durations })
  .meta({ id: "ExecutionFigures", description: "Executions that started and ended in the range." });

export const figureKey = z
  .object({
    definition: z.string().optional(),
    version: count.optional(),
    type: z.string().optional(),
    action: z.string().optional(),
    connection: z.string().nullable().optional(),
    outcome: z.string().optional(),
  })
  .meta({
    id: "FigureKey",
    description:
      "The value of each dimension in `groupBy`. `*`: values without figures of their own. A connection of null: none.",
  });

export const metricsAnswer = z
  .object({
    from: instant,
    to: instant,
    step: z.enum(figureSpans),
    groupBy: z.array(z.enum(figureDimensions)),
    asOf: instant.meta({ description: "When the figures were read." }),
    newestAt: instant.nullable().meta({ description: "When the latest counted event happened; null without figures." }),
    data: z.array(
      z.object({
        group: figureKey,
        figures,
        executions: executions
          .nullable()
          .meta({
            description: "null if `groupBy` or the filters name actions, because an execution belongs to no action.",
          }),
        previous: figures
          .nullable()
          .meta({ description: "The figures of the range before; null without `compare`, or without figures." }),
        points: z
          .array(z.object({ at: instant, figures }))
          .meta({ description: "The series, the oldest point first. Points without figures are omitted." }),
      }),
    ),
    other: z
      .object({ groups: count, figures })
      .nullable()
      .meta({ description: "The sum of the groups beyond `limit`; null if there are none." }),
  })
  .meta({ id: "MetricsQueryAnswer" });
export type ApiMetricsAnswer = z.infer<typeof metricsAnswer>;
