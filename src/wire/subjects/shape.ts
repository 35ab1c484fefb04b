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
    .meta({
      description:
        "The final status of the execution, or `live`. `unknown`: the execution no longer exists and did not report its end.",
    }),
  endedAt: value.instant.nullable(),
});

export const subject = z
  .object({
    key: subjectKey,
    journeys: z.array(
      z.object({
        journey: z.string(),
        reentry: reentry.meta({ description: "The journey's reentry setting at the latest start." }),
        enrolments: z.array(enrolment).meta({ description: "The executions, newest first, at most 20." }),
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
        opensAt: value.instant
          .nullable()
          .meta({ description: "When the next slot is free; null if a slot is free now." }),
      }),
    ),
    next: z
      .object({ execution: executionIdText, definition: z.string(), at: value.instant, node: z.string() })
      .nullable()
      .meta({ description: "The next planned step according to the catalog; null if none is planned." }),
  })
  .meta({ id: "Subject" });
export type ApiSubject = z.infer<typeof subject>;

export const erasedSubject = z
  .object({
    key: subjectKey,
    once: z
      .array(z.string())
      .meta({
        description: "The journeys that admit each subject once and, after the erasure, admit this subject again.",
      }),
    executions: z
      .array(executionIdText)
      .meta({ description: "The known executions of the subject. Erase them separately to delete their journals." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ErasedSubject" });
export type ApiErasedSubject = z.infer<typeof erasedSubject>;
