// Combined schemas for one value (allOf, anyOf, oneOf, not, if): checks it against them.
import type { Declared, DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { misfit, type At } from "./standpoint.ts";

export function ofChoices(schema: DeclaredSchema, value: Json, at: At): readonly Finding[] {
  const { allOf = [], anyOf, oneOf, not, if: asked, then = true, else: otherwise = true } = schema;
  const fits = (each: Declared): boolean => at.look(each, value, at).length === 0;
  return [
    ...allOf.flatMap((each) => at.look(each, value, at)),
    ...(anyOf === undefined ? [] : ofAny(anyOf, value, at)),
    ...(oneOf === undefined ? [] : ofOne(oneOf, value, at)),
    ...(not === undefined || !fits(not) ? [] : [misfit(at, "not_allowed", "must not match the schema in not")]),
    ...(asked === undefined ? [] : at.look(fits(asked) ? then : otherwise, value, at)),
  ];
}

function ofAny(choices: readonly Declared[], value: Json, at: At): readonly Finding[] {
  const each = choices.map((choice) => at.look(choice, value, at));
  return each.some((found) => found.length === 0) ? [] : nearest(choices, each, at);
}

function ofOne(choices: readonly Declared[], value: Json, at: At): readonly Finding[] {
  const each = choices.map((choice) => at.look(choice, value, at));
  const count = each.filter((found) => found.length === 0).length;
  if (count > 1)
    return [misfit(at, "invalid_union", `matches ${count} of the alternatives, and must match exactly one`)];
  return count === 1 ? [] : nearest(choices, each, at);
}

/** If the value's type or kind matches only one alternative, reports the violations of that one. */
function nearest(choices: readonly Declared[], each: readonly (readonly Finding[])[], at: At): readonly Finding[] {
  const [meant, another] = each.filter((found) => !found.some((one) => isOfKind(one, at)));
  if (meant !== undefined && another === undefined) return meant;
  const titles = choices.flatMap((choice) =>
    typeof choice === "object" && choice.title !== undefined ? [choice.title] : [],
  );
  const said = [...new Set(each.flatMap(([first]) => (first?.pointer === at.pointer ? [first.message] : [])))];
  const hint = titles.length > 0 ? `One of: ${titles.join(", ")}.` : said.join("; ");
  return [
    misfit(at, "invalid_union", `matches none of the ${choices.length} alternatives`, hint === "" ? undefined : hint),
  ];
}

/** Whether the violation is a wrong type, or a wrong value in the field that distinguishes the alternatives. */
function isOfKind({ pointer, code }: Finding, at: At): boolean {
  if (code === "invalid_value") return pointer.lastIndexOf("/") <= at.pointer.length;
  return code === "invalid_type" && pointer === at.pointer;
}
