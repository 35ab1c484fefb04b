// Enrolment lists: API shapes for opening a list, uploading its parts, dry runs and starting it, and of the lines that
// were not enrolled.
import { z } from "zod";
import { defaults } from "#schema/defaults.ts";
import { operationIdText } from "#schema/ids.ts";
import {
  ENROLMENT_LINES_MAX,
  ENROLMENT_PARTS_MAX,
  ENROLMENT_PART_LINES_MAX,
} from "#schema/limits/subjects/enrolment-lists.ts";
import { OPERATION_PER_SECOND_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import * as value from "#schema/values.ts";

export const openEnrolmentBody = z
  .strictObject({
    namespace: value.namespace.optional(),
    perSecond: z
      .number()
      .int()
      .min(1)
      .max(OPERATION_PER_SECOND_MAX)
      .optional()
      .meta({ description: `Maximum enrolments per second. Default: ${defaults.enrolledPerSecond}.` }),
    reason: value.reason.optional(),
  })
  .meta({ id: "OpenEnrolment", examples: [{ perSecond: 50, reason: "couples of the season 2027" }] });
export type OpenEnrolmentBody = z.input<typeof openEnrolmentBody>;

export const partParams = z.object({
  id: operationIdText,
  part: z.coerce
    .number()
    .int()
    .min(1)
    .max(ENROLMENT_PARTS_MAX)
    .meta({ description: "The number of the part, from 1." }),
});

/**
 * A part of an enrolment list. Each line is validated only when the operation starts it, so that an invalid line does
 * not stop the other lines.
 */
export const partBody = z
  .strictObject({
    lines: z
      .array(value.anyJson)
      .min(1)
      .max(ENROLMENT_PART_LINES_MAX)
      .meta({
        description: "The lines. Each line is `{ variables, correlationId }`, as in a start of the definition.",
      }),
  })
  .meta({
    id: "EnrolmentPart",
    examples: [{ lines: [{ variables: { coupleId: "couple-17", weddingDate: "2027-06-12" } }] }],
  });
export type PartBody = z.input<typeof partBody>;

export const appendedPart = z
  .object({
    repeated: z.boolean().meta({ description: "This part was uploaded before with the same lines." }),
    parts: z.number().int(),
    lines: z
      .number()
      .int()
      .meta({ description: `The number of lines of all parts; at most ${ENROLMENT_LINES_MAX}.` }),
  })
  .meta({ id: "AppendedPart" });
export type ApiAppended = z.infer<typeof appendedPart>;

export const enrolmentPreview = z
  .object({
    dryRun: z.literal(true),
    lines: z.number().int(),
    estimatedSeconds: z.number().int(),
    sampled: z
      .number()
      .int()
      .meta({ description: "The number of checked lines, which are spread over the whole list." }),
    enrolled: z.number().int().meta({ description: "The number of checked lines that would be enrolled." }),
    refused: z
      .record(z.string(), z.number().int())
      .meta({ description: "The number of checked lines that would be refused, by code." }),
    items: z.array(
      z.object({
        part: z.number().int(),
        line: z.number().int(),
        code: z
          .string()
          .nullable()
          .meta({ description: "The code of the refusal; null if the line would be enrolled." }),
        message: z.string().nullable(),
        subject: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "EnrolmentPreview" });
export type ApiEnrolmentPreview = z.infer<typeof enrolmentPreview>;

export const lineTrouble = z
  .object({
    part: z.number().int(),
    line: z.number().int().meta({ description: "The number of the line within its part, from 1." }),
    code: z.string(),
    message: z.string(),
    execution: z
      .string()
      .optional()
      .meta({ description: "The id of the execution, if the operation is about executions." }),
  })
  .meta({ id: "LineTrouble" });
export type ApiLineTrouble = z.infer<typeof lineTrouble>;
