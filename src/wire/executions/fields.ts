// Which fields of an execution an answer holds, where somebody asks for some of them: variables may be large, and most who
// start one or send it an event look at little of what comes back.
import { z } from "zod";
import { limits } from "#schema/limits.ts";
import { execution, type Execution } from "./shape.ts";

export type ExecutionField = keyof Execution;
export type FieldsAsked = ReadonlySet<ExecutionField>;

const names: readonly string[] = execution.keyof().options;

/** In a query: names with commas between them. */
const fieldsAsked = z
  .string()
  .max(limits.fieldsCharsMax)
  .transform((text, context): FieldsAsked => {
    const asked = text.split(",");
    const unknown = asked.filter((name) => !names.includes(name));
    for (const name of unknown)
      context.addIssue({ code: "custom", message: `"${name}" is not one of ${names.join(", ")}` });
    return new Set(asked) as FieldsAsked; // whoever named another one is refused
  });

const description =
  "Comma-separated field names, such as `id,status`: the execution in the response contains only these.";

/** Where everything is told unless something else is asked for. */
export const fields = fieldsAsked.optional().meta({ description, example: "id,status" });

/** Where the answer to an event holds no variables unless they are asked for. */
export const eventFields = fieldsAsked
  .optional()
  .meta({ description: `${description} Default: all but \`variables\`.`, example: "id,status" });

const UNASKED: FieldsAsked = new Set((names as ExecutionField[]).filter((name) => name !== "variables"));

/** `asked`: undefined where nobody has said. */
export function ofEvent(asked: FieldsAsked | undefined): FieldsAsked {
  return asked ?? UNASKED;
}

/** Only these; all where nobody has said. */
export function only(whole: Execution, asked: FieldsAsked | undefined): Partial<Execution> {
  if (asked === undefined) return whole;
  const entries = Object.entries(whole) as [ExecutionField, unknown][]; // its own fields, as its shape has them
  return Object.fromEntries(entries.filter(([name]) => asked.has(name)));
}
