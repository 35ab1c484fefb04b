// Previews of definitions: API shapes.
import { z } from "zod";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText } from "#schema/ids.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { PREVIEW_SUBJECTS_MAX } from "#schema/limits/planning/previews.ts";
import { anyObject, instant } from "#schema/values.ts";
import { assumptions, assumedInputs, moment } from "#schema/virtual/assumptions.ts";
import { changeKinds } from "#schema/virtual/calendar.ts";
import { cuts } from "#schema/virtual/expected-actions.ts";
import { definitionBody, definitionRefText } from "../definitions/shape.ts";
import { givenConnections } from "./assumed-connections.ts";

export const at = moment.transform((text) => Date.parse(text));

export const previewSubject = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "A label for the rows of this subject. Default: the number of the subject, from 1." }),
  execution: executionIdText
    .optional()
    .meta({
      description: "The id of the subject's execution. Random choices (jitter, spread, split) depend on this id.",
    }),
  variables: anyObject.optional().meta({ description: "The variables of the subject's execution, as in a start." }),
  startAt: at.optional().meta({ description: "The start of this subject. Default: the common start." }),
  given: assumedInputs
    .optional()
    .meta({ description: "External inputs of this subject, in addition to the common ones." }),
});

const compare = z
  .strictObject({
    definition: z
      .union([definitionRefText, definitionBody])
      .optional()
      .meta({ description: "Another definition or version to compare with: a name, or the definition itself." }),
    variables: anyObject.optional().meta({ description: "A JSON merge patch of each subject's variables." }),
    given: assumedInputs.optional().meta({ description: "External inputs that replace `given`." }),
    assume: assumptions.optional().meta({ description: "Assumptions that replace `assume`." }),
  })
  .refine((other) => Object.keys(other).length > 0, {
    message: "must change at least one of definition, variables, given, assume",
  });

const body = {
  subjects: z.array(previewSubject).min(1).max(PREVIEW_SUBJECTS_MAX).meta({ description: "The subjects." }),
  startAt: at.optional().meta({ description: "The start of all subjects. Default: now." }),
  from: at.optional().meta({ description: "The first instant of the rows. Earlier rows are omitted." }),
  until: at.optional().meta({ description: "End of the simulation. Default: five years after the start." }),
  given: assumedInputs.optional().meta({ description: "The external inputs of each subject, with their times." }),
  assume: assumptions.optional(),
  connections: givenConnections
    .optional()
    .meta({
      description:
        "If present, the subjects share the limits of the tenant's connections. The limits in this field replace the stored limits. null means no limits.",
    }),
  contents: z.boolean().optional().meta({ description: "true: each row contains the rendered config of its action." }),
  compare: compare
    .optional()
    .meta({ description: "If present, the response has the differences to a second preview." }),
};

const example = {
  subjects: [{ id: "ada", variables: { dueDate: "2026-12-24" } }],
  startAt: "2026-11-18T10:00:00Z",
  given: [{ at: "P2D", event: "paid" }],
};

export const previewBody = z.strictObject(body).meta({ id: "PreviewDefinition", examples: [example] });
export type PreviewDefinitionBody = z.input<typeof previewBody>;
export type ReadPreview = z.output<typeof previewBody>;

export const inlinePreviewBody = z
  .strictObject({ definition: definitionBody, ...body })
  .meta({ id: "PreviewInlineDefinition" });
export type PreviewInlineBody = z.input<typeof inlinePreviewBody>;

export const formats = ["json", "csv", "ics"] as const;
export type Format = (typeof formats)[number];

/** The time zone of a row, and its local time there. */
const local = {
  local: z.string().nullable().meta({ description: "The local time." }),
  utcOffset: z.string().nullable(),
  timezone: z.string(),
  dst: z
    .enum(["none", "gap", "fold_first", "fold_second"])
    .nullable()
    .meta({
      description:
        "The effect of a clock change. gap: the time is shifted, because a clock change skips it. fold: the local time exists twice.",
    }),
};

export const previewRow = z
  .object({
    subject: z.string(),
    action: z.string().meta({ description: "An action's id, or a node's name." }),
    nth: z.number().int().meta({ description: "The number of this run of the action for this subject, from 1." }),
    type: z.string(),
    place: z.string().nullable().meta({ description: "The state that starts the action." }),
    at: instant
      .nullable()
      .meta({ description: "When the action is executed; null if the date that it depends on is missing." }),
    ...local,
    plannedAt: instant.nullable().meta({ description: "The instant at which the action was due before any hold." }),
    heldBy: z
      .string()
      .nullable()
      .meta({
        description:
          "The cause that held the action until `at`: window, slot, or a connection's reason; null if nothing did.",
      }),
    status: z.enum(runStatuses).meta({ description: "The outcome of the action. Skipped rows have a reason." }),
    reason: z.string().nullable(),
    attempts: z.number().int(),
    isSure: z.boolean().meta({ description: "true: the row depends on no assumption." }),
    assumes: z.array(z.string()).meta({ description: "The assumptions that the row depends on, the nearest last." }),
    config: anyObject
      .nullable()
      .optional()
      .meta({ description: "The config as it would be sent, with placeholders for secrets." }),
  })
  .meta({ id: "ExpectedAction" });
export type ApiPreviewRow = z.infer<typeof previewRow>;

export const previewChange = previewRow
  .extend({
    change: z.enum(changeKinds),
    from: instant.nullable().meta({ description: "The instant that this row has in the original preview." }),
  })
  .meta({ id: "CalendarChange" });
export type ApiPreviewChange = z.infer<typeof previewChange>;

const end = z.object({
  subject: z.string(),
  refused: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: "Why the subject's execution could not be started." }),
  status: z.enum(executionStatuses).nullable(),
  states: z.array(z.string()),
  notTaken: z.array(
    z.object({
      at: instant,
      what: z.string(),
      given: z.number().int().nullable(),
      code: z.string(),
      message: z.string(),
    }),
  ),
  cut: z
    .enum(cuts)
    .nullable()
    .meta({ description: "The limit at which the computation of this subject stopped; null if it is complete." }),
  reason: z
    .enum(["waits_for_operator"])
    .nullable()
    .meta({ description: "waits_for_operator: a failed action needs an operator's decision; null if none does." }),
});
export type ApiSubjectEnd = z.infer<typeof end>;

export const previewedDefinition = z
  .object({
    definition: z
      .string()
      .meta({ description: "The definition as name@version; for an unsaved definition, only its name." }),
    madeAt: instant,
    from: instant.nullable(),
    until: instant,
    subjects: z.number().int(),
    left: z
      .number()
      .int()
      .meta({
        description: "The number of subjects that were not computed, because of a limit of rows, steps or work.",
      }),
    counts: z
      .record(z.string(), z.number().int())
      .meta({
        description:
          "The number of rows by status. In a comparison, the number of changes by kind, and of unchanged rows.",
      }),
    rows: z
      .array(previewRow)
      .optional()
      .meta({ description: "The rows in order of their instant. Rows without an instant are last." }),
    changes: z.array(previewChange).optional().meta({ description: "The changes of a comparison, which has no rows." }),
    ends: z
      .array(end)
      .meta({ description: "The subjects that fail, pause, cannot start or are incomplete; the first 500." }),
    endsMore: z.number().int(),
  })
  .meta({ id: "Preview" });
export type ApiPreview = z.infer<typeof previewedDefinition>;
