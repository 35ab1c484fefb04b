// Common parts of explanations: sentences, evaluated rules, and requests that would help.
import { z } from "zod";
import { breaker, rateLimit } from "#schema/connection.ts";
import { attention, connectionState } from "../connections/shape.ts";
import * as value from "#schema/values.ts";

export const gate = connectionState.extend({ attention: attention.nullable() }).nullable();

export const says = z.string().meta({ description: "One plain sentence. Programs use the other fields." });
const until = value.instant.nullable().meta({ description: "null: unknown; an external decision." });
export const names = z.array(z.string());

export const askedRule = z
  .object({
    at: z.string().meta({ description: "Its place: a JSON pointer into the definition, or the action's field." }),
    rule: value.anyJson,
    result: z
      .boolean()
      .nullable()
      .meta({ description: "Current result. null: depends on a future event, or cannot be evaluated (`fault`)." }),
    fault: z.string().optional(),
    values: value.anyObject.meta({
      description: "Values that it reads, by path.",
      examples: [{ "execution.variables.total": 40 }],
    }),
  })
  .meta({ id: "AskedRule" });

export const way = z
  .object({
    verb: z.string(),
    method: z.enum(["GET", "POST", "PUT"]),
    path: z.string(),
    body: value.anyObject.optional(),
  })
  .meta({ id: "Way", description: "A request that resolves it." });

export const shared = { until, says, can: z.array(way) };

/** The limits that a run must still pass before it is sent. */
export const meets = z
  .array(
    z.discriminatedUnion("limit", [
      z.object({
        limit: z.literal("window"),
        window: value.anyJson,
        would: z
          .enum(["pass", "hold", "skip"])
          .meta({ description: "What happens to the run at that instant, as things are now." }),
        until,
      }),
      z.object({
        limit: z.literal("cap"),
        cap: z.string(),
        subject: z.string().nullable(),
        max: z.number().int(),
        per: z
          .string()
          .nullable()
          .meta({ description: "null: the subject's day.", examples: ["P7D"] }),
        over: z.enum(["wait", "skip"]),
      }),
      z.object({
        limit: z.literal("connection"),
        connection: z.string(),
        rateLimit: rateLimit.optional(),
        concurrency: z.number().int().optional(),
        breaker: breaker.optional(),
        gate: gate.meta({ description: "Current state; null if unknown." }),
      }),
    ]),
  )
  .meta({ description: "Limits that apply before it is sent, as far as known in advance." });
