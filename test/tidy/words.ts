// What code may not say where a wall forbids it. A word is found as syntax, so that no layout, alias or destructuring
// hides it; the name of a property or a type is not a word.
import type { Node, Seen } from "./syntax.ts";

export type Word = keyof typeof words;

export const words = {
  clock: (seen: Seen) => readsDate(seen) || isMember(seen.node, "Temporal", "Now") || isGlobal(seen, ["performance"]),
  chance: (seen: Seen) => drawsChance(seen),
  globalThis: (seen: Seen) => isGlobal(seen, ["globalThis"]),
  crypto: (seen: Seen) => isGlobal(seen, ["crypto"]),
  fetch: (seen: Seen) => isGlobal(seen, ["fetch"]),
  timers: (seen: Seen) => isGlobal(seen, ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]),
  logging: (seen: Seen) => isGlobal(seen, ["console"]),
  process: (seen: Seen) => isGlobal(seen, ["process", "Buffer"]),
  async: ({ node }: Seen) => node["async"] === true || node["await"] === true || node.type === "AwaitExpression",
  class: ({ node }: Seen) => node.type === "ClassDeclaration" || node.type === "ClassExpression",
  Response: (seen: Seen) => isGlobal(seen, ["Response"]),
  D1: ({ node }: Seen) => node.type === "Identifier" && ["D1Database", "DB"].includes(String(node["name"])),
  require: (seen: Seen) => isGlobal(seen, ["require"]),
};

/** Of Date everything but `new Date(ms)`, `Date.parse`, `Date.UTC` and `instanceof Date`. */
function readsDate(seen: Seen): boolean {
  if (!isGlobal(seen, ["Date"]) || seen.above === null) return false;
  const { above, node } = seen;
  if (above.type === "NewExpression") return Array.isArray(above["arguments"]) && above["arguments"].length === 0;
  if (above.type === "BinaryExpression") return false;
  return !(above["object"] === node && ["parse", "UTC"].includes(propertyOf(above) ?? ""));
}

function drawsChance(seen: Seen): boolean {
  if (!isGlobal(seen, ["Math"]) || seen.above === null) return false;
  const property = seen.above["object"] === seen.node ? propertyOf(seen.above) : null;
  return property === null || property === "random";
}

/** A name that stands for itself: not the key of a property, not a type. */
function isGlobal({ node, above }: Seen, names: readonly string[]): boolean {
  if (node.type !== "Identifier" || !names.includes(String(node["name"])) || above === null) return false;
  if (above.type.startsWith("TS") && !["TSAsExpression", "TSSatisfiesExpression"].includes(above.type)) return false;
  const isKey = above["property"] === node || above["key"] === node;
  return !isKey || above["computed"] === true || above["shorthand"] === true;
}

function isMember(node: Node, object: string, property: string): boolean {
  const holder = node["object"] as Node | undefined; // of a member expression: what its property is taken of
  return node.type === "MemberExpression" && holder?.["name"] === object && propertyOf(node) === property;
}

function propertyOf(member: Node): string | null {
  const property = member["property"] as Node | undefined; // an identifier, or any expression where it is computed
  return property === undefined || member["computed"] === true ? null : String(property["name"]);
}
