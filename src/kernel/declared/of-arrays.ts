// Lists: checks them against a schema.
import type { DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import { MISFITS_TOLD_MAX } from "#schema/limits/kernel.ts";
import type { Finding } from "#schema/refusal.ts";
import { childPointer } from "../language/pointer.ts";
import { BYTES_PER_UNIT, spend } from "../computing/work.ts";
import { misfit, type At } from "./standpoint.ts";

export function arrayMisfits(schema: DeclaredSchema, value: readonly Json[], at: At): readonly Finding[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false, prefixItems = [], items } = schema;
  const out: Finding[] = [];
  if (value.length < minItems) out.push(misfit(at, "too_small", `must have at least ${minItems} items`));
  if (value.length > maxItems) out.push(misfit(at, "too_big", `must have at most ${maxItems} items`));
  if (uniqueItems) out.push(...twice(value, at));
  for (const [n, item] of value.entries()) {
    const declared = prefixItems[n] ?? items;
    if (declared === undefined) continue;
    out.push(...at.look(declared, item, { ...at, pointer: childPointer(at.pointer, n) }));
    if (out.length > MISFITS_TOLD_MAX) break;
  }
  return [...out, ...contained(schema, value, at)];
}

function contained(
  { contains, minContains = 1, maxContains = Infinity }: DeclaredSchema,
  value: readonly Json[],
  at: At,
) {
  if (contains === undefined) return [];
  const count = value.filter((item) => at.look(contains, item, at).length === 0).length;
  if (count < minContains)
    return [misfit(at, "too_small", `must contain at least ${minContains} items that match the schema in contains`)];
  if (count > maxContains)
    return [misfit(at, "too_big", `must contain at most ${maxContains} items that match the schema in contains`)];
  return [];
}

/** The first item that equals an earlier one. */
function twice(value: readonly Json[], at: At): readonly Finding[] {
  const seen = new Set<string>();
  for (const [n, item] of value.entries()) {
    const text = inOrder(item);
    spend(at.work, text.length / BYTES_PER_UNIT);
    if (seen.has(text))
      return [misfit({ pointer: childPointer(at.pointer, n) }, "not_unique", "is a duplicate of an earlier item")];
    seen.add(text);
  }
  return [];
}

/** The same text for equal values, independent of the order of their fields. */
function inOrder(value: Json): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
