// Common parts of explanations: sentences, evaluated rules, and the requests with which a client can change a wait.
import { z } from "zod";
import { breaker, rateLimit } from "#schema/connection.ts";
import { limitTerms } from "#schema/definition/key-limit.ts";
import { attention, connectionState } from "../connections/shape.ts";
import * as value from "#schema/values.ts";

export const gate = connectionState.extend({ attention: attention.nullable() }).nullable();

export const sentence = z.string().meta({ description: "One plain sentence. Programs use the other fields." });
const until = value.instant
  .nullable()
  .meta({ description: "When the wait ends; null if this depends on an external decision." });
export const names = z.array(z.string());

export const evaluatedRule = z
  .object({
    at: z
      .string()
      .meta({ description: "The place of the rule: a JSON pointer into the definition, or the field of the action." }),
    rule: value.anyJson,
    result: z
      .boolean()
      .nullable()
      .meta({
        description:
          "The current result of the rule. null if the result depends on a future event, or the rule cannot be evaluated (`fault`).",
      }),
    fault: z.string().optional(),
    values: value.anyObject.meta({
      description: "The values that the rule reads, by path.",
      examples: [{ "execution.variables.total": 40 }],
    }),
  })
  .meta({ id: "EvaluatedRule" });

export const suggestedRequest = z
  .object({
    verb: z.string(),
    method: z.enum(["GET", "POST", "PUT"]),
    path: z.string(),
    body: value.anyObject.optional(),
  })
  .meta({ id: "Way", description: "A request that ends the wait." });

export const waitFields = { until, says: sentence, can: z.array(suggestedRequest) };

/** The time zone of a wait. */
export const zoneInUse = {
  timezone: z
    .string()
    .optional()
    .meta({
      description: "The time zone that applies. Absent if the instant does not depend on one.",
      examples: ["Europe/Zurich"],
    }),
  unknownTimezone: z
    .string()
    .optional()
    .meta({
      description:
        "The JSON of a rule's result that is no time zone, so `timezone` applies instead. Absent if there is none.",
      examples: ['"Moon/Base"'],
    }),
};

/** The limits that a run must still pass before it is sent. */
export const pendingLimits = z
  .array(
    z.discriminatedUnion("limit", [
      z.object({
        limit: z.literal("window"),
        window: value.anyJson,
        would: z
          .enum(["pass", "hold", "skip"])
          .meta({ description: "The predicted effect of this limit when the run is due." }),
        until,
        ...zoneInUse,
      }),
      z.object({
        limit: z.literal("cap"),
        cap: z.string(),
        subject: z.string().nullable(),
        max: z.number().int(),
        per: z
          .string()
          .nullable()
          .meta({ description: "The length of the window; null if the window is a day.", examples: ["P7D"] }),
        over: z.enum(["wait", "skip"]),
        opensAt: z
          .string()
          .nullable()
          .meta({ description: "When a slot of the cap will be free; null if one is free now, or if it is unknown." }),
      }),
      z.object({
        limit: z.literal("key"),
        name: z.string(),
        key: z.string().nullable().meta({ description: "The key of the run; null if unknown." }),
        ...limitTerms,
      }),
      z.object({
        limit: z.literal("connection"),
        connection: z.string(),
        rateLimit: rateLimit.optional(),
        concurrency: z.number().int().optional(),
        breaker: breaker.optional(),
        gate: gate.meta({ description: "The current state of the connection; null if unknown." }),
      }),
    ]),
  )
  .meta({ description: "The limits that the run still has to pass before it is sent, as far as they are known." });
