// Request fingerprints: digests of a request's body. A repeat with the same Idempotency-Key is refused if its
// fingerprint differs.
import type { Json } from "#schema/json.ts";
import { sha256 } from "../hash.ts";

export async function fingerprint(body: Json): Promise<string> {
  return sha256(canonicalJson(body));
}

/**
 * Returns the JSON with the fields in alphabetical order. Two clients that order the fields differently then get the
 * same fingerprint.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
