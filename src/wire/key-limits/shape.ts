// Limits by key: API shapes of the use of one key, and of the request that releases it.
import { z } from "zod";
import { executionIdText } from "#schema/ids.ts";
import { ID_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { LIMIT_KEY_CHARS_MAX } from "#schema/limits/limits-by-key.ts";
import { instant, reason } from "#schema/values.ts";
import { plainQuery } from "../query.ts";

const key = {
  name: z
    .string()
    .min(1)
    .max(3 * ID_CHARS_MAX)
    .meta({
      description:
        "The name of the limit, or `<definition>/<action>/<position>` if it has none; for starts `<definition>/<position>`. Positions count from 0.",
      examples: ["per-customer"],
    }),
  key: z
    .string()
    .min(1)
    .max(LIMIT_KEY_CHARS_MAX)
    .meta({ description: "The key, as the limit's rule returns it.", examples: ["customer-17"] }),
  of: z
    .enum(["runs", "starts"])
    .optional()
    .meta({ description: "runs: a limit on the runs of actions. starts: a limit on starts. Default: runs." }),
};

export const limitQuery = plainQuery.extend(key);
export const releaseBody = z
  .strictObject({ ...key, reason })
  .meta({ id: "ReleaseLimit", examples: [{ name: "per-customer", key: "customer-17", reason: "calls were lost" }] });

const run = {
  execution: executionIdText,
  run: z.string().nullable().meta({ description: "The run; null for a limit on starts." }),
};
const use = {
  name: z.string(),
  key: z.string(),
  of: z.enum(["runs", "starts"]),
  concurrency: z
    .number()
    .int()
    .nullable()
    .meta({
      description:
        "The maximum number of attempts in progress or live executions, as the last one asked; null if there is none.",
    }),
  inUse: z
    .array(
      z.object({
        ...run,
        since: instant,
        until: instant.meta({
          description: "The end of the lease. For starts: when the engine may check whether the execution has ended.",
        }),
      }),
    )
    .meta({ description: "The runs whose attempt is in progress. For starts: the live executions." }),
  waiting: z.number().int().meta({ description: "The number of waiting runs that have a place." }),
  next: z
    .array(
      z.object({
        ...run,
        since: instant.meta({ description: "When the run first asked, which decides the order." }),
        until: instant.meta({ description: "When the run asks again." }),
      }),
    )
    .meta({ description: "The first waiting runs, in order." }),
  counted: z
    .number()
    .int()
    .nullable()
    .meta({ description: "The number of runs in the period of the rate; null without a rate." }),
  debouncing: z
    .object({ ...run, until: instant })
    .nullable()
    .meta({ description: "The newest run, which waits for the end of the quiet time; null if there is none." }),
  nextAt: instant.nullable().meta({ description: "When a new run could start; null if it could start now." }),
};

export const limitUse = z.object(use).meta({ id: "LimitUse" });
export type ApiLimitUse = z.infer<typeof limitUse>;

export const releasedLimit = z.object({ dryRun: z.boolean(), released: limitUse }).meta({ id: "ReleasedLimit" });
export type ApiReleasedLimit = z.infer<typeof releasedLimit>;
