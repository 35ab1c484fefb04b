// The actions of a definition of any kind, with their pointers. Also replaces the value at a path of a definition.
import type { Definition } from "#schema/definition/definition.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { actionsOf, type PlacedAction } from "./journey/node-actions.ts";
import { withLimits } from "./named-limits.ts";

export function placedActions(definition: Definition): readonly PlacedAction[] {
  switch (definition.kind) {
    case "machine":
    case "reconciler":
      return (definition.actions ?? []).map((action, n) => ({
        action: withLimits(definition, action),
        at: ["actions", String(n)],
        defaultsAt: null,
        isChild: false,
      }));
    case "journey":
      return actionsOf(definition);
  }
}

/**
 * The path of an action's field in the definition. It leads to the action itself, or to the defaults if only these
 * contain the field.
 */
export function placeIn(definition: Definition, placed: PlacedAction, path: readonly string[]): readonly string[] {
  const { at, defaultsAt } = placed;
  const named = definition.kind === "journey" ? namesInNode(placed, path) : path;
  const isInDefaults = defaultsAt !== null && !isDefined(definition, [...at, ...named]);
  return isInDefaults && isDefined(definition, [...defaultsAt, ...named])
    ? [...defaultsAt, ...named]
    : [...at, ...named];
}

function namesInNode({ isChild }: PlacedAction, [first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  // A node that starts a child contains the fields of its config directly.
  return isChild && first === "config" ? rest : [first, ...rest];
}

type Part = { readonly [name: string]: unknown };

function isDefined(definition: Definition, path: readonly string[]): boolean {
  let part: unknown = definition;
  for (const name of path) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return false;
    part = (part as Part)[name]; // The line above has checked that the part is an object.
  }
  return part !== undefined;
}

/** The definition with another value at the path. */
export function withValueAt<Whole extends Definition>(definition: Whole, path: readonly string[], value: Json): Whole {
  return putAt(definition as unknown as JsonObject, path, value) as unknown as Whole; // Replacing the value keeps the definition's shape.
}

function putAt(part: Json | undefined, [name, ...inner]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (Array.isArray(part)) return part.map((each: Json, n) => (String(n) === name ? putAt(each, inner, value) : each));
  const before = (part ?? {}) as JsonObject; // The part at a path is an object or a list, which is treated as an object here.
  return { ...before, [name]: putAt(before[name], inner, value) };
}

/** Converts the pointer of a finding: from a pointer into one action to a pointer into the whole definition. */
export function placeOfFinding<Found extends { readonly pointer: string }>(
  definition: Definition,
  placed: PlacedAction,
  found: Found,
): Found {
  const path = found.pointer.split("/").slice(1).map(unescaped);
  const at = placeIn(definition, placed, path);
  return { ...found, pointer: at.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") };
}

function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
