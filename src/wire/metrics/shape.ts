// Metrics: API shapes of counters, gauges and configuration.
import { z } from "zod";
import { instant } from "#schema/values.ts";

export const recurringTotals = z.object({
  tenant: z.string(),
  recurring_dispatched: z.number().int().meta({ description: "The total number of occurrences that were started." }),
  recurring_active: z.number().int().meta({ description: "The number of recurring actions that are active now." }),
  recurring_errors: z
    .number()
    .int()
    .meta({ description: "The total number of occurrences that could not be started." }),
});

export const metricsSnapshot = z
  .object({ at: instant, tenants: z.array(recurringTotals) })
  .meta({ id: "MetricsSnapshot" });
export type ApiMetricsSnapshot = z.infer<typeof metricsSnapshot>;

export const prometheusText = z.string().meta({ description: "Prometheus text format, version 0.0.4." });

export const configView = z
  .object({
    background: z.object({
      enable_recurring_actions: z
        .boolean()
        .meta({
          description:
            "Whether recurring actions run. This depends on the installation's switch and the tenant's quota.",
        }),
      recurring_check_interval_seconds: z
        .literal(0)
        .meta({ description: "Always 0: the engine does not poll, because each recurring action has its own alarm." }),
      recurring_interval_seconds_min: z.number().meta({ description: "The minimum interval between two occurrences." }),
    }),
  })
  .meta({ id: "ConfigView" });
export type ApiConfigView = z.infer<typeof configView>;

const count = z.number().int();
const share = z.number().min(0).max(1);

export const typeMetrics = z
  .object({
    type: z.string(),
    runs: count.meta({ description: "Ended runs: successful (`ok`) or permanently failed (`failed`)." }),
    successful: count,
    successRate: share,
    retried: count.meta({ description: "The number of runs with more than one attempt." }),
    retryRate: share.meta({ description: "The share of retried runs among the runs with an attempt." }),
    averageRetries: z.number().meta({ description: "The average number of retries of the runs with an attempt." }),
    attempts: count.meta({ description: "The number of attempts, including those of runs that have not ended." }),
    timeouts: count.meta({ description: "The number of attempts that timed out." }),
    timeoutRate: share.meta({ description: "The share of timeouts among all attempts." }),
    durationMs: z
      .object({
        count: count,
        average: z.number().nullable(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
        p99: z.number().nullable(),
        histogram: z
          .array(z.object({ upToMs: z.number(), count }))
          .meta({
            description:
              "Each bucket begins where the previous bucket ends and is 4.4 % wide. Empty buckets are omitted.",
          }),
      })
      .meta({ description: "Durations of attempts. Percentiles are within 2.2 % of the exact values." }),
  })
  .meta({ id: "TypeMetrics" });
export type ApiTypeMetrics = z.infer<typeof typeMetrics>;
export const typesMetrics = z.object({ data: z.array(typeMetrics) }).meta({ id: "TypesMetrics" });
