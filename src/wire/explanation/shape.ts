// Explanations: API shapes that say why an execution is in its state. Every part has fields for programs, and one
// sentence for people.
import { z } from "zod";
import { executionIdText } from "#schema/ids.ts";
import * as value from "#schema/values.ts";
import { definitionPin, executionStatus } from "../executions/shape.ts";
import { errorOf } from "../action-error.ts";
import { names, sentence } from "./parts.ts";
import { notDone } from "./not-done.ts";
import { wait } from "./waits.ts";

const entryLine = z.looseObject({ kind: z.string() }).meta({ id: "PredictedLine" });

const predictedEntry = z
  .object({
    kind: z
      .string()
      .nullable()
      .meta({ description: "The kind of the journal entry; null if no entry will be written." }),
    about: value.anyObject.meta({
      description: "The run, timer or other part that the entry is about.",
      examples: [{ run: "3.0", action: "mail", attempt: 2 }],
    }),
    by: z
      .enum([
        "time",
        "runner",
        "parent",
        "child",
        "directory",
        "subject",
        "limit",
        "lists",
        "event",
        "person",
        "tenant",
        "retention",
        "none",
      ])
      .meta({
        description:
          "The cause of the entry. time: the clock. runner: the attempt in progress. parent, child, directory, subject, limit, lists: other parts of the engine. event, person, tenant: an input from outside.",
      }),
    at: value.instant.nullable().meta({ description: "The exact time; null if it depends on an external event." }),
    earliest: value.instant.nullable(),
    latest: value.instant.nullable(),
    assumes: z
      .enum(["ok", "failed"])
      .nullable()
      .meta({ description: "The assumed outcome of the attempt in progress; null if nothing is assumed." }),
    events: names.optional().meta({ description: "If the cause is an event: the accepted types." }),
    with: z.array(entryLine).meta({ description: "The entries that the same step writes after this entry." }),
    more: z.number().int().meta({ description: "The number of further entries, which are not listed." }),
    says: sentence,
  })
  .meta({ id: "PredictedEntry" });

const count = z.number().int();

export const explanation = z
  .object({
    execution: executionIdText,
    definition: definitionPin,
    status: executionStatus
      .nullable()
      .meta({ description: "The status of the execution; null if the engine cannot read the execution." }),
    states: names,
    asOf: value.instant,
    retired: z
      .boolean()
      .meta({ description: "true: the journal is deleted, and the response is a summary from the catalog." }),
    says: sentence,
    ended: z
      .object({
        status: executionStatus,
        at: value.instant,
        reason: z.string().nullable(),
        error: errorOf.nullable(),
        says: sentence,
      })
      .nullable(),
    next: predictedEntry.meta({ description: "The next journal entry without external input." }),
    or: z.array(predictedEntry).meta({ description: "External inputs that may arrive before the next entry." }),
    waits: z.array(wait),
    notNow: z
      .array(
        z.object({
          event: z.string(),
          would: z.enum(["kept", "refused"]),
          code: z.string().nullable(),
          says: sentence,
        }),
      )
      .meta({ description: "Events that other states accept." }),
    notDone: z.array(notDone).meta({ description: "Work that was not done, the newest first." }),
    leftOut: z
      .object({ waits: count, notNow: count, notDone: count })
      .meta({ description: "The number of items that the response omits, because it would be too long." }),
  })
  .meta({ id: "Explanation" });
export type ApiExplanation = z.infer<typeof explanation>;
