// Filled configs: replace a stored config's secrets by their names. If a secret contains a whole URL, an unreachable
// URL replaces it.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";
import { runnerFor } from "../registry.ts";
import { secretPlaceholder } from "./stand-ins.ts";

type FilledConfig = {
  readonly config: JsonObject;
  /** The names of the secrets that requests contain. A secret that is itself the destination is not among them. */
  readonly sentSecrets: readonly string[];
};

export function fillConfig({ type, config }: Pick<Ticket, "type" | "config">): FilledConfig {
  const names = secretNames(config);
  const placeholders = Object.fromEntries(names.map((name) => [name, secretPlaceholder(name)]));
  const withPlaceholders = fill(config, placeholders);
  const parsed = runnerFor(type)?.config.safeParse(withPlaceholders);
  if (names.length === 0 || parsed === undefined || parsed.success)
    return { config: withPlaceholders, sentSecrets: names };
  const secretUrls = parsed.error.issues.flatMap(({ path }) => secretNames(valueAt(config, path)));
  const urlPlaceholders = Object.fromEntries(secretUrls.map((name) => [name, `https://stand-in.example/${name}`]));
  const sentSecrets = names.filter((name) => !secretUrls.includes(name));
  return { config: fill(config, { ...placeholders, ...urlPlaceholders }), sentSecrets };
}

function fill(config: JsonObject, values: { readonly [name: string]: string }): JsonObject {
  const filled = fillSecrets(config, values);
  return filled.ok ? (filled.value as JsonObject) : config; // filling an object returns an object
}

function valueAt(root: Json, path: readonly PropertyKey[]): Json {
  let value: Json = root;
  for (const part of path) {
    if (value === null || typeof value !== "object") return null;
    value = (value as { readonly [key: PropertyKey]: Json })[part] ?? null; // a list has its items under their indexes
  }
  return value;
}
