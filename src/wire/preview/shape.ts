// Previews of definitions on the wire.
import { z } from "zod";
import { executionStatuses } from "#schema/engine/state.ts";
import { executionIdText } from "#schema/ids.ts";
import { runStatuses } from "#schema/engine/run.ts";
import { PREVIEW_SUBJECTS_MAX } from "#schema/limits/virtual.ts";
import { anyObject, instant } from "#schema/values.ts";
import { assumptions, givenList, moment } from "#schema/virtual/assumptions.ts";
import { changeKinds } from "#schema/virtual/calendar.ts";
import { cuts } from "#schema/virtual/expected.ts";
import { definitionBody, definitionRefText } from "../definitions/shape.ts";
import { givenConnections } from "./given-connections.ts";

export const at = moment.transform((text) => Date.parse(text));

export const previewSubject = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Whom its rows are about. Default: its number, from 1." }),
  execution: executionIdText.optional().meta({
    description: "The id that it is going to have: what is left to chance (jitter, spread, a split) hangs on it.",
  }),
  variables: anyObject.optional().meta({ description: "As a start would give them." }),
  startAt: at.optional().meta({ description: "When it starts. Default: that of all." }),
  given: givenList.optional().meta({ description: "What comes to it, after what is given to all." }),
});

const compare = z
  .strictObject({
    definition: z
      .union([definitionRefText, definitionBody])
      .optional()
      .meta({ description: "Another definition or version: by name, or itself." }),
    variables: anyObject.optional().meta({ description: "A merge patch over each subject's variables." }),
    given: givenList.optional().meta({ description: "What comes instead of what is given." }),
    assume: assumptions.optional().meta({ description: "What is assumed instead." }),
  })
  .refine((other) => Object.keys(other).length > 0, {
    message: "say what is otherwise: definition, variables, given, assume",
  });

const body = {
  subjects: z.array(previewSubject).min(1).max(PREVIEW_SUBJECTS_MAX).meta({ description: "For whom." }),
  startAt: at.optional().meta({ description: "When they start. Default: now." }),
  from: at.optional().meta({ description: "Rows before it are left out." }),
  until: at.optional().meta({ description: "Nothing after it is looked at. Default: five years after the start." }),
  given: givenList.optional().meta({ description: "What comes to each of them, and when." }),
  assume: assumptions.optional(),
  connections: givenConnections.optional().meta({
    description:
      "With it, subjects are played together under the limits of the tenant's connections, and these instead of those. null: none.",
  }),
  contents: z.boolean().optional().meta({ description: "true: each row shows its rendered config." }),
  compare: compare.optional().meta({ description: "Answers with what is otherwise in another calendar." }),
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

/** Of whose clocks, and what they show. */
const local = {
  local: z.string().nullable().meta({ description: "As the clock on the wall shows it." }),
  utcOffset: z.string().nullable(),
  timezone: z.string(),
  dst: z
    .enum(["none", "gap", "fold_first", "fold_second"])
    .nullable()
    .meta({ description: "gap: shifted, since that hour is jumped over, or next to it. fold: the hour comes twice." }),
};

export const previewRow = z
  .object({
    subject: z.string(),
    action: z.string().meta({ description: "An action's id, or a node's name." }),
    nth: z.number().int().meta({ description: "Which of the subject's runs of it, from 1." }),
    type: z.string(),
    place: z.string().nullable().meta({ description: "The state that it belongs to." }),
    at: instant.nullable().meta({ description: "null: the date that it hangs on is not there." }),
    ...local,
    plannedAt: instant.nullable().meta({ description: "When it was due, before anything held it." }),
    heldBy: z
      .string()
      .nullable()
      .meta({ description: "What held it until `at`: window, slot, a connection's reason." }),
    status: z.enum(runStatuses).meta({ description: "How it ends. What is skipped says why." }),
    reason: z.string().nullable(),
    attempts: z.number().int(),
    isSure: z.boolean().meta({ description: "It hangs on no assumption." }),
    assumes: z.array(z.string()).meta({ description: "What it hangs on, the nearest last." }),
    config: anyObject.nullable().optional().meta({ description: "As it would be sent, secrets as slots." }),
  })
  .meta({ id: "ExpectedAction" });
export type ApiPreviewRow = z.infer<typeof previewRow>;

export const previewChange = previewRow
  .extend({ change: z.enum(changeKinds), from: instant.nullable().meta({ description: "When it was before." }) })
  .meta({ id: "CalendarChange" });
export type ApiPreviewChange = z.infer<typeof previewChange>;

const end = z.object({
  subject: z.string(),
  refused: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: "It could not be started, and why." }),
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
    .meta({ description: "Why not all of it was looked at; `until` is no reason to be told." }),
});
export type ApiSubjectEnd = z.infer<typeof end>;

export const previewed = z
  .object({
    definition: z.string().meta({ description: "name@version; of one that came along, its name." }),
    madeAt: instant,
    from: instant.nullable(),
    until: instant,
    subjects: z.number().int(),
    left: z
      .number()
      .int()
      .meta({ description: "Subjects that were not looked at: there were rows, steps or work enough before." }),
    counts: z
      .record(z.string(), z.number().int())
      .meta({ description: "Rows by status; of a comparison, changes by kind, and those that stay as they are." }),
    rows: z.array(previewRow).optional().meta({ description: "By instant; undated ones last." }),
    changes: z
      .array(previewChange)
      .optional()
      .meta({ description: "Instead of rows, where two calendars are compared." }),
    ends: z.array(end).meta({ description: "Subjects that do not simply go through; the first 500." }),
    endsMore: z.number().int(),
  })
  .meta({ id: "Preview" });
export type ApiPreview = z.infer<typeof previewed>;
