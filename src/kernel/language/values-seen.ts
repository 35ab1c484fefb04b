// What a rule looks at, by path, as it is told to people: in a journal, or to whoever asks why.
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { EXPLAINED_VALUE_BYTES_MAX, EXPLAINED_VALUES_MAX } from "#schema/limits/explaining.ts";
import { evaluate } from "./logic.ts";
import { parseCondition } from "./rule-findings.ts";
import { partsOf } from "./rule-parts.ts";
import { jsonBytes } from "./size.ts";
import type { Work } from "../computing/work.ts";

/** Of every path that it names outside of a loop, as far as the rule can be told apart, and as it is wanted. */
export function valuesSeen(
  rule: Rule,
  scope: JsonObject,
  work: Work,
  isWanted: (path: string) => boolean = () => true,
): JsonObject {
  const paths = new Set(partsOf(readOf(rule), "").flatMap(({ kind, text }) => (kind === "path" ? [text] : [])));
  const named = [...paths].filter(isWanted).slice(0, EXPLAINED_VALUES_MAX);
  return Object.fromEntries(
    named.flatMap((path) => {
      const found = evaluate({ var: path }, scope, work);
      return found.ok ? [[path, short(found.value)]] : [];
    }),
  );
}

/** A condition may stand as a text that holds it. */
export function readOf(rule: Rule): Rule {
  return typeof rule === "string" ? (parseCondition(rule) ?? rule) : rule;
}

/** An answer is for reading: what is long is told by its size. */
export function short(value: Json): Json {
  const bytes = jsonBytes(value);
  return bytes > EXPLAINED_VALUE_BYTES_MAX ? `(${bytes} bytes)` : value;
}
