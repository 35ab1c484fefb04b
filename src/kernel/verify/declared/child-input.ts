// Input of child executions: checks the literal variables of a start_execution against the input schema of the child's
// definition. Templated values are checked at run time.
import type { InputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import type { Finding, Warning } from "#schema/refusal.ts";
import { schemaViolations } from "../../declared/schema-violations.ts";
import { openWork } from "../../computing/work.ts";
import { warning } from "../finding.ts";

/**
 * Warnings about the variables that an action passes to its child. `where`: the pointer of the action's config. `of`:
 * the child's definition. Returns no warnings if the check would cost too much; the start of the child then checks the
 * variables.
 */
export function childInputWarnings(
  input: InputSchemaObject,
  variables: Json | undefined,
  { where, of }: { readonly where: string; readonly of: string },
): readonly Warning[] {
  return violationsOf(input, variables ?? {})
    .filter(({ pointer, code }) => code === "unknown_field" || !isRendered(variables, pointer))
    .map(({ pointer, message, hint }) => {
      const at = variables === undefined ? where : `${where}/variables${parentOf(variables, pointer)}`;
      const name = pointer === "" ? "this" : pointer.slice(1).replaceAll("/", ".");
      const fix = `${hint === undefined ? "" : `${hint} `}Pass the variables that the input schema of ${of} requires.`;
      return warning(at, "child_input", `the definition ${of} would refuse the variables: ${name} ${message}`, { fix });
    });
}

function violationsOf(input: InputSchemaObject, variables: Json): readonly Finding[] {
  try {
    return schemaViolations(input, variables, "", openWork());
  } catch {
    return [];
  }
}

/** True if the value is a template or contains one, so that only run time can check it. */
function isRendered(variables: Json | undefined, pointer: string): boolean {
  const value = valueAt(variables, pointer);
  return value !== undefined && /\{\{|\{%/.test(JSON.stringify(value));
}

/** The pointer of the value. If the value is missing, the pointer of the object in which it is missing. */
function parentOf(variables: Json, pointer: string): string {
  return valueAt(variables, pointer) === undefined ? pointer.slice(0, pointer.lastIndexOf("/")) : pointer;
}

function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  const names = pointer.split("/").slice(1);
  return names.reduce<Json | undefined>((inner, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as { readonly [name: string]: Json })[key]; // The line above has checked that the value has this field.
  }, value);
}
