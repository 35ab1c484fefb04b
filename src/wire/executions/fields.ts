// Selected fields: which fields of an execution an answer contains. Variables may be large, and most clients that start
// an execution or send an event read little of the answer.
import { z } from "zod";
import { FIELDS_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { execution, type Execution } from "./shape.ts";

export type ExecutionField = keyof Execution;
export type FieldsAsked = ReadonlySet<ExecutionField>;

const names: readonly string[] = execution.keyof().options;

/** In a query: names with commas between them. */
const fieldsAsked = z
  .string()
  .max(FIELDS_CHARS_MAX)
  .transform((text, context): FieldsAsked => {
    const asked = text.split(",");
    const unknown = asked.filter((name) => !names.includes(name));
    for (const name of unknown)
      context.addIssue({ code: "custom", message: `"${name}" is not one of ${names.join(", ")}` });
    return new Set(asked) as FieldsAsked; // unknown names were refused
  });

const description =
  "Comma-separated field names, such as `id,status`: the execution in the response contains only these.";

/** For answers that contain everything by default. */
export const fields = fieldsAsked.optional().meta({ description, example: "id,status" });

/** For the answer to an event, which contains no variables by default. */
export const eventFields = fieldsAsked
  .optional()
  .meta({ description: `${description} Default: all but \`variables\`.`, example: "id,status" });

const UNASKED: FieldsAsked = new Set((names as ExecutionField[]).filter((name) => name !== "variables"));

/** `asked`: undefined if not given. */
export function ofEvent(asked: FieldsAsked | undefined): FieldsAsked {
  return asked ?? UNASKED;
}

/** Only these fields; all if not given. */
export function only(whole: Execution, asked: FieldsAsked | undefined): Partial<Execution> {
  if (asked === undefined) return whole;
  const entries = Object.entries(whole) as [ExecutionField, unknown][]; // its own fields, as its shape has them
  return Object.fromEntries(entries.filter(([name]) => asked.has(name)));
}
