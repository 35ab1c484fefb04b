// What is declared by several schemas of one and the same value: all of them, any, one, not one, this one if that.
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
    ...(not === undefined || !fits(not) ? [] : [misfit(at, "not_allowed", "is just what may not stand here")]),
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
  if (count > 1) return [misfit(at, "invalid_union", `fits ${count} of what it may be, and must fit one only`)];
  return count === 1 ? [] : nearest(choices, each, at);
}

/** Whoever is of the kind of one of them only meant that one: so it is said what is wrong there. */
function nearest(choices: readonly Declared[], each: readonly (readonly Finding[])[], at: At): readonly Finding[] {
  const [meant, another] = each.filter((found) => !found.some((one) => isOfKind(one, at)));
  if (meant !== undefined && another === undefined) return meant;
  const titles = choices.flatMap((choice) =>
    typeof choice === "object" && choice.title !== undefined ? [choice.title] : [],
  );
  const said = [...new Set(each.flatMap(([first]) => (first?.pointer === at.pointer ? [first.message] : [])))];
  const hint = titles.length > 0 ? `One of: ${titles.join(", ")}.` : said.join("; ");
  return [
    misfit(at, "invalid_union", `fits none of the ${choices.length} that it may be`, hint === "" ? undefined : hint),
  ];
}

/** Another type, or another value of a field that tells kinds apart. */
function isOfKind({ pointer, code }: Finding, at: At): boolean {
  if (code === "invalid_value") return pointer.lastIndexOf("/") <= at.pointer.length;
  return code === "invalid_type" && pointer === at.pointer;
}
