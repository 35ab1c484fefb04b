// Work that was not done: API shapes of skipped runs, nodes and timers, and of dropped events, in an explanation.
import { z } from "zod";
import * as value from "#schema/values.ts";
import { errorOf } from "../action-error.ts";
import { evaluatedRule, sentence, suggestedRequest } from "./parts.ts";
import { ofRun } from "./waits.ts";

export const notDone = z
  .discriminatedUnion("what", [
    z.object({
      what: z.literal("run"),
      ...ofRun,
      status: z.enum(["skipped", "canceled", "failed"]),
      reason: z.string(),
      at: value.instant,
      nextAt: value.instant
        .nullable()
        .meta({
          description: "When a new run may pass the cap or limit by key that skipped the run. Null if unknown.",
        }),
      error: errorOf.nullable(),
      heard: z
        .object({ event: z.string(), state: z.string() })
        .nullable()
        .meta({ description: "For a failure that the definition handled: the event and the resulting state." }),
      deadLetter: z.string().nullable(),
      conditions: z
        .array(evaluatedRule)
        .meta({
          description:
            "The values that the condition read when it was evaluated; the current values if the earlier values are no longer stored.",
        }),
      says: sentence,
      can: z.array(suggestedRequest),
    }),
    z.object({
      what: z.literal("event"),
      event: z.string(),
      id: z.string().nullable(),
      outcome: z.enum(["kept", "ignored", "dropped"]),
      reason: z.string(),
      at: value.instant.nullable(),
      says: sentence,
      can: z.array(suggestedRequest),
    }),
    z.object({
      what: z.literal("node"),
      node: z.string(),
      reason: z.string(),
      at: value.instant.nullable(),
      says: sentence,
      can: z.array(suggestedRequest),
    }),
    z.object({
      what: z.literal("timer"),
      timer: z.string(),
      reason: z.string(),
      at: value.instant,
      says: sentence,
      can: z.array(suggestedRequest),
    }),
  ])
  .meta({ id: "NotDone" });
