// Paths of a rule: resolves a path name by name, through own properties only. Long values are charged when they are
// read.
import { splitPath } from "json-logic-engine";
import { fault, type Budget } from "../computing/fault.ts";
import { charge, workOf, type Work } from "../computing/work.ts";

/** Names that a path must not contain, because they lead to JavaScript internals. */
export const forbiddenNames: ReadonlySet<string> = new Set(["constructor", "__proto__", "prototype"]);

/**
 * The result of reading a path that does not exist. null would be ambiguous, because a path that exists may have the
 * value null.
 */
export const NOTHING = Symbol("nothing");

/** One unit pays for this many characters of a text. Reading a character costs less than evaluating an operator. */
export const CHARACTERS_PER_STEP = 32;

type PathBudget = { readonly budget: Budget; readonly work: Work };

export function readAtPath(
  path: unknown,
  context: unknown,
  above: readonly unknown[],
  { budget, work }: PathBudget,
): unknown {
  const value = resolvePath(path, context, above, work);
  if (typeof value === "string" || Array.isArray(value)) budget.use(value.length / CHARACTERS_PER_STEP);
  return value;
}

function resolvePath(path: unknown, context: unknown, above: readonly unknown[], work: Work): unknown {
  if (path === undefined || path === null || path === "") return context;
  if (typeof path !== "string" && typeof path !== "number")
    throw fault("path_invalid", "a path in a rule must be a text, such as message.payload.id");
  let text = String(path);
  let climbs = 0;
  for (; text.startsWith("../"); climbs += 1) text = text.slice("../".length);
  charge(work, climbs * workOf.pathClimb);
  let value = climbs === 0 ? context : outerContexts(above)[climbs - 1];
  const names = splitPath(text);
  charge(work, names.length * workOf.pathName);
  for (const name of names) {
    if (typeof value !== "object" || value === null) return NOTHING;
    if (forbiddenNames.has(name) || !Object.hasOwn(value, name)) return NOTHING;
    value = (value as { readonly [name: string]: unknown })[name]; // The line above has checked that the value has a property with this name.
  }
  return value;
}

/**
 * The contexts around an item, the innermost first. Each nested iteration adds two contexts: { iterator, index }, and
 * the context outside of the iteration.
 */
function outerContexts(above: readonly unknown[]): readonly unknown[] {
  const [info, context, next] = above;
  return above.length === 0 ? [] : [info, context, ...outerContexts(next as readonly unknown[])]; // The library nests each context in the next one in this way.
}

/** The number of characters of a text; for a list, the sum over its texts. */
export function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum: number, item) => sum + (typeof item === "string" ? item.length : 0), 0);
}
