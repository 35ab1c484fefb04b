// How a definition is named by callers: `name`, `name@version`, or the id of one version.
import type { DefinitionKey } from "#catalog/definitions.ts";
import { isIdOf } from "#schema/ids.ts";

const VERSIONED = /^(.+)@(\d{1,9})$/;

/** null: no definition can be called that. A version given apart must agree with one in the reference. */
export function parseReference(reference: string, version: number | null = null): DefinitionKey | null {
  if (isIdOf("def", reference)) return version === null ? { id: reference } : null;
  const [, name, written] = VERSIONED.exec(reference) ?? [];
  if (name === undefined) return { name: reference, version };
  return version === null || version === Number(written) ? { name, version: Number(written) } : null;
}
