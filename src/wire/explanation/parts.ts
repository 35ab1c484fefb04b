// What several parts of an explanation have: sentences, rules that were asked, and requests that do something about it.
import { z } from "zod";
import * as value from "#schema/values.ts";

export const says = z
  .string()
  .meta({ description: "In a plain sentence, for people. Programs read the fields beside it." });
const until = value.instant.nullable().meta({ description: "null: nobody knows; somebody or something else decides." });
export const names = z.array(z.string());

export const askedRule = z
  .object({
    at: z.string().meta({ description: "Where it stands: a JSON pointer into the definition, or the action's field." }),
    rule: value.anyJson,
    result: z
      .boolean()
      .nullable()
      .meta({ description: "As it is now. null: hangs on an event still to come, or cannot be evaluated (`fault`)." }),
    fault: z.string().optional(),
    values: value.anyObject.meta({
      description: "What it looks at, by path.",
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
  .meta({ id: "Way", description: "A request that does something about it." });

export const shared = { until, says, can: z.array(way) };
