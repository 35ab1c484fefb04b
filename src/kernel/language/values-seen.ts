// The values that a rule read, by path, for the journal and for explanations.
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { EXPLAINED_VALUE_BYTES_MAX, EXPLAINED_VALUES_MAX } from "#schema/limits/explaining.ts";
import { evaluate } from "./logic.ts";
import { parseCondition } from "./rule-findings.ts";
import { partsOf } from "./rule-parts.ts";
import { jsonBytes } from "./size.ts";
import type { Work } from "../computing/work.ts";

/**
 * Of every path that the rule names outside of a loop, as far as the rule can be analyzed, up to the requested number.
 */
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

/** A condition may be a text that contains the rule. */
export function readOf(rule: Rule): Rule {
  return typeof rule === "string" ? (parseCondition(rule) ?? rule) : rule;
}

/** Explanations are for reading, so a long value is replaced by its size. */
export function short(value: Json): Json {
  const bytes = jsonBytes(value);
  return bytes > EXPLAINED_VALUE_BYTES_MAX ? `(${bytes} bytes)` : value;
}
