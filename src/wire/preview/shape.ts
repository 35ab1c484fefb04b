// Previews of definitions: API shapes.
import { z } from "zod";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText } from "#schema/ids.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { PREVIEW_SUBJECTS_MAX } from "#schema/limits/planning/previews.ts";
import { anyObject, instant } from "#schema/values.ts";
import { assumptions, assumedInputs, moment } from "#schema/virtual/assumptions.ts";
import { changeKinds } from "#schema/virtual/calendar.ts";
import { cuts } from "#schema/virtual/expected.ts";
import { definitionBody, definitionRefText } from "../definitions/shape.ts";
import { givenConnections } from "./given-connections.ts";

export const at = moment.transform((text) => Date.parse(text));

export const previewSubject = z.strictObject({
  id: z.string().min(1).max(200).optional().meta({ description: "Label of its rows. Default: its number, from 1." }),
  execution: executionIdText
    .optional()
    .meta({ description: "The id that it will have; random choices (jitter, spread, a split) depend on it." }),
  variables: anyObject.optional().meta({ description: "As in a start." }),
  startAt: at.optional().meta({ description: "Start of this subject. Default: the common start." }),
  given: assumedInputs.optional().meta({ description: "Further events of this subject." }),
});

const compare = z
  .strictObject({
    definition: z
      .union([definitionRefText, definitionBody])
      .optional()
      .meta({ description: "Another definition or version: by name, or inline." }),
    variables: anyObject.optional().meta({ description: "A JSON merge patch of each subject's variables." }),
    given: assumedInputs.optional().meta({ description: "Events instead of `given`." }),
    assume: assumptions.optional().meta({ description: "Assumptions instead of `assume`." }),
  })
  .refine((other) => Object.keys(other).length > 0, {
    message: "must change at least one of definition, variables, given, assume",
  });

const body = {
  subjects: z.array(previewSubject).min(1).max(PREVIEW_SUBJECTS_MAX).meta({ description: "The subjects." }),
  startAt: at.optional().meta({ description: "Common start. Default: now." }),
  from: at.optional().meta({ description: "Rows before this instant are omitted." }),
  until: at.optional().meta({ description: "End of the simulation. Default: five years after the start." }),
  given: assumedInputs.optional().meta({ description: "The external inputs of each subject, with their times." }),
  assume: assumptions.optional(),
  connections: givenConnections
    .optional()
    .meta({
      description:
        "If present, subjects share the limits of the tenant's connections, replaced by these. null: no limits.",
    }),
  contents: z.boolean().optional().meta({ description: "true: each row contains its rendered config." }),
  compare: compare.optional().meta({ description: "Returns the differences to another calendar." }),
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

/** The time zone, and the local time in it. */
const local = {
  local: z.string().nullable().meta({ description: "Local time." }),
  utcOffset: z.string().nullable(),
  timezone: z.string(),
  dst: z
    .enum(["none", "gap", "fold_first", "fold_second"])
    .nullable()
    .meta({ description: "gap: shifted, because that hour does not exist. fold: the hour exists twice." }),
};

export const previewRow = z
  .object({
    subject: z.string(),
    action: z.string().meta({ description: "An action's id, or a node's name." }),
    nth: z.number().int().meta({ description: "Number of this run of the subject, from 1." }),
    type: z.string(),
    place: z.string().nullable().meta({ description: "The state that starts it." }),
    at: instant.nullable().meta({ description: "null: the date that it depends on is missing." }),
    ...local,
    plannedAt: instant.nullable().meta({ description: "Due instant before anything held it." }),
    heldBy: z
      .string()
      .nullable()
      .meta({ description: "What held it until `at`: window, slot, or a connection's reason." }),
    status: z.enum(runStatuses).meta({ description: "Outcome. Skipped rows have a reason." }),
    reason: z.string().nullable(),
    attempts: z.number().int(),
    isSure: z.boolean().meta({ description: "It depends on no assumption." }),
    assumes: z.array(z.string()).meta({ description: "Assumptions that it depends on, the nearest last." }),
    config: anyObject.nullable().optional().meta({ description: "As it would be sent, secrets as slots." }),
  })
  .meta({ id: "ExpectedAction" });
export type ApiPreviewRow = z.infer<typeof previewRow>;

export const previewChange = previewRow
  .extend({
    change: z.enum(changeKinds),
    from: instant.nullable().meta({ description: "The instant in the first calendar." }),
  })
  .meta({ id: "CalendarChange" });
export type ApiPreviewChange = z.infer<typeof previewChange>;

const end = z.object({
  subject: z.string(),
  refused: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: "Why it could not be started." }),
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
  cut: z.enum(cuts).nullable().meta({ description: "Why the simulation is incomplete; not set for `until`." }),
});
export type ApiSubjectEnd = z.infer<typeof end>;

export const previewed = z
  .object({
    definition: z.string().meta({ description: "name@version; for an unsaved definition, its name." }),
    madeAt: instant,
    from: instant.nullable(),
    until: instant,
    subjects: z.number().int(),
    left: z
      .number()
      .int()
      .meta({ description: "Subjects that were not simulated, because of a limit on rows, steps or work." }),
    counts: z
      .record(z.string(), z.number().int())
      .meta({ description: "Rows by status; in a comparison, changes by kind, and unchanged rows." }),
    rows: z.array(previewRow).optional().meta({ description: "By instant; undated rows last." }),
    changes: z.array(previewChange).optional().meta({ description: "In a comparison, instead of rows." }),
    ends: z.array(end).meta({ description: "Subjects with irregularities; the first 500." }),
    endsMore: z.number().int(),
  })
  .meta({ id: "Preview" });
export type ApiPreview = z.infer<typeof previewed>;
