// How a definition is named by callers: `name`, `name@version`, or the id of one version.
import type { DefinitionKey } from "#catalog/definitions.ts";
import { isIdOf } from "#schema/ids.ts";
import { versionKey } from "../versioned/version-reference.ts";

/** null: no definition can be called that. A version given apart must agree with one in the reference. */
export function parseReference(reference: string, version: number | null = null): DefinitionKey | null {
  if (!isIdOf("def", reference)) return versionKey(reference, version);
  return version === null ? { id: reference } : null;
}
