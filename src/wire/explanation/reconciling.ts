// Waits of a reconciler: API shapes.
import { z } from "zod";
import { errorOf } from "../action-error.ts";
import * as value from "#schema/values.ts";
import { evaluatedRule, waitFields } from "./parts.ts";

export const reconcilingWaits = [
  z.object({
    for: z.literal("observation"),
    revision: z.number().int(),
    observedAt: value.instant.nullable(),
    isStale: z.boolean().meta({ description: "The rules wait for a newer observation." }),
    collector: z
      .object({
        action: z.string(),
        nextAt: value.instant.nullable(),
        failures: z.number().int(),
        error: errorOf.nullable(),
      })
      .nullable(),
    fault: z.string().nullable().meta({ description: "Why the rules cannot be evaluated." }),
    guards: z.array(evaluatedRule),
    ...waitFields,
  }),
  z.object({ for: z.literal("desired"), revision: z.number().int(), ...waitFields }),
  z.object({ for: z.literal("tick"), ...waitFields }),
] as const;
