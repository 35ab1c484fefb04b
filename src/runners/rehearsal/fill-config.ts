// Filled configs: replace a stored config's secrets by their names. If a secret contains a whole URL or a chain's
// address, a URL or address that does not exist replaces it.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";
import { UNSUBSCRIBE_PLACEHOLDER } from "#schema/outgoing/unsubscribe-link.ts";
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
  const texts = fill(config, placeholders);
  const notText = refusedSecrets(type, config, texts);
  if (notText.length === 0) return { config: texts, sentSecrets: names };
  const urls = { ...placeholders, ...Object.fromEntries(notText.map((name) => [name, urlPlaceholder(name)])) };
  const notUrl = refusedSecrets(type, config, fill(config, urls));
  const all = { ...urls, ...Object.fromEntries(notUrl.map((name) => [name, addressPlaceholder(name)])) };
  const destinations = new Set(notText.filter((name) => !notUrl.includes(name)));
  return { config: fill(config, all), sentSecrets: names.filter((name) => !destinations.has(name)) };
}

/** Returns the names of the secrets in those fields of the filled config that the runner's schema refuses. */
function refusedSecrets(type: string, config: JsonObject, filled: JsonObject): readonly string[] {
  const parsed = runnerFor(type)?.config.safeParse(filled);
  return (parsed?.error?.issues ?? []).flatMap(({ path }) => secretNames(valueAt(config, path)));
}

function urlPlaceholder(secret: string): string {
  return `https://stand-in.example/${secret}`;
}

/** Returns an address with the first 20 bytes of the secret's name. */
function addressPlaceholder(secret: string): string {
  const bytes = new TextEncoder().encode(secret).slice(0, ADDRESS_BYTES);
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `0x${digits.padEnd(2 * ADDRESS_BYTES, "0")}`;
}

const ADDRESS_BYTES = 20;

function fill(config: JsonObject, values: { readonly [name: string]: string }): JsonObject {
  const filled = fillSecrets(config, values, UNSUBSCRIBE_PLACEHOLDER);
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
