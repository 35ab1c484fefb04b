// Limits by key on starts: errors in the keys. A key is computed before the first move, when only the start is known.
import type { Definition } from "#schema/definition/definition.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { partsOf } from "../../language/rule-parts.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { finding } from "../finding.ts";
import { isReadable } from "../readable-names.ts";
import { PLAIN_PATH } from "../unknown-paths.ts";

const KNOWN_AT_START: ReadonlySet<string> = new Set(["execution", "tenant"]);

export function startLimitFindings(definition: Pick<Definition, "limit" | "input" | "variables">): readonly Finding[] {
  const { limit = [] } = definition;
  return limit.flatMap(({ key }, n) =>
    partsOf(key, pointer("/limit", n, "key")).flatMap(({ kind, text, at }) => {
      if (kind !== "path" || !PLAIN_PATH.test(text)) return [];
      const names = text.split(".");
      if (KNOWN_AT_START.has(String(names[0])) && isReadable(names)) return unknownVariable(definition, names, at);
      const message = `the key of a limit on starts cannot read ${text}, because it is not known at the start`;
      return [finding(at, "not_known_at_start", message, KNOWN)];
    }),
  );
}

/** Only an input schema that allows no other variables shows that no start can have this one. */
function unknownVariable(
  { input, variables = {} }: Pick<Definition, "input" | "variables">,
  [root, field, name]: readonly string[],
  at: string,
): readonly Finding[] {
  if (root !== "execution" || field !== "variables" || name === undefined) return [];
  if (input?.["additionalProperties"] !== false) return [];
  const known = [...Object.keys(variables), ...Object.keys(input.properties ?? {})];
  if (known.includes(name)) return [];
  const guess = didYouMean(name, known);
  const help = guess ? `Did you mean ${guess}?` : `Add the variable to "input", or read one of: ${known.join(", ")}.`;
  return [finding(at, "unknown_variable", `no start can have the variable ${name}`, help)];
}

const KNOWN = "Read a variable of the start, such as execution.variables.customerId, or another field of execution.";
