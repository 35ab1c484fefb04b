// Subjects: API shapes of a subject's journeys, caps, and next steps.
import { z } from "zod";
import { executionIdText } from "#schema/ids.ts";
import { executionStatuses } from "#schema/engine/state.ts";
import { reentry } from "#schema/subject/enrolment.ts";
import { subjectKey } from "#schema/subject/key.ts";
import * as value from "#schema/values.ts";

export const subjectParams = z.object({ key: subjectKey });

const enrolment = z.object({
  execution: executionIdText,
  enrolledAt: value.instant,
  status: z
    .enum(["live", "unknown", ...executionStatuses])
    .meta({ description: "Final status, or `live`. `unknown`: it is gone without a report." }),
  endedAt: value.instant.nullable(),
});

export const subject = z
  .object({
    key: subjectKey,
    journeys: z.array(
      z.object({
        journey: z.string(),
        reentry: reentry.meta({ description: "As last requested." }),
        enrolments: z.array(enrolment).meta({ description: "Newest first, at most 20." }),
      }),
    ),
    caps: z.array(
      z.object({
        cap: z.string(),
        max: z.number().int(),
        window: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("rolling"), ms: z.number().int() }),
          z.object({ kind: z.literal("day"), timezone: z.string() }),
        ]),
        used: z.number().int(),
        opensAt: value.instant.nullable().meta({ description: "When the next slot opens; null: one is free now." }),
      }),
    ),
    next: z
      .object({ execution: executionIdText, definition: z.string(), at: value.instant, node: z.string() })
      .nullable()
      .meta({ description: "The next planned step, from the catalog; null if none is planned." }),
  })
  .meta({ id: "Subject" });
export type ApiSubject = z.infer<typeof subject>;

export const erasedSubject = z
  .object({
    key: subjectKey,
    once: z
      .array(z.string())
      .meta({ description: "Journeys that admit a subject once, and would admit this one again." }),
    executions: z
      .array(executionIdText)
      .meta({ description: "Its executions, as far as known: erasing them deletes their journals." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ErasedSubject" });
export type ApiErasedSubject = z.infer<typeof erasedSubject>;
