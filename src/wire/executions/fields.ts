// Requested fields: the fields of an execution that an answer contains. Variables may be large, and most clients need
// few fields.
import { z } from "zod";
import { FIELDS_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { execution, type Execution } from "./shape.ts";

export type ExecutionField = keyof Execution;
export type FieldsAsked = ReadonlySet<ExecutionField>;

const names: readonly string[] = execution.keyof().options;

/** Field names in a query, separated by commas. */
const fieldsAsked = z
  .string()
  .max(FIELDS_CHARS_MAX)
  .transform((text, context): FieldsAsked => {
    const asked = text.split(",");
    const unknown = asked.filter((name) => !names.includes(name));
    for (const name of unknown)
      context.addIssue({ code: "custom", message: `"${name}" is not one of ${names.join(", ")}` });
    return new Set(asked) as FieldsAsked; // `fieldsAsked` has refused unknown names, so these are names of fields.
  });

const description =
  "Comma-separated field names, such as `id,status`. The execution in the response contains only these fields.";

/** The requested fields of answers that contain all fields by default. */
export const fields = fieldsAsked.optional().meta({ description, example: "id,status" });

/** The requested fields of the answer to an event, which contains no variables by default. */
export const eventFields = fieldsAsked
  .optional()
  .meta({ description: `${description} Default: all but \`variables\`.`, example: "id,status" });

const UNASKED: FieldsAsked = new Set((names as ExecutionField[]).filter((name) => name !== "variables"));

/** Returns the fields of the answer to an event. `asked` is undefined if the client requested none. */
export function ofEvent(asked: FieldsAsked | undefined): FieldsAsked {
  return asked ?? UNASKED;
}

/** Returns the execution with only the requested fields. If the client requested none, returns it with all fields. */
export function only(whole: Execution, asked: FieldsAsked | undefined): Partial<Execution> {
  if (asked === undefined) return whole;
  const entries = Object.entries(whole) as [ExecutionField, unknown][]; // Object.entries has the type string for names. An execution has no names besides its fields.
  return Object.fromEntries(entries.filter(([name]) => asked.has(name)));
}
