// How a definition is named by callers: `name`, `name@version`, `name@draft` (its newest draft), or the id of one version.
import type { DefinitionKey } from "#catalog/definitions.ts";
import { isIdOf } from "#schema/ids.ts";
import { versionKey } from "../versioned/version-reference.ts";

/** null: no definition can be called that. A version given apart must agree with one in the reference. */
export function parseReference(reference: string, version: number | null = null): DefinitionKey | null {
  if (isIdOf("def", reference)) return version === null ? { id: reference } : null;
  const name = reference.endsWith(DRAFT) ? reference.slice(0, -DRAFT.length) : null;
  if (name === null) return versionKey(reference, version);
  return version === null ? { name, draft: true } : null;
}

/** A name alone: what it means is for those to say who publish. */
export function isNameAlone(key: DefinitionKey): boolean {
  return "version" in key && key.version === null;
}

const DRAFT = "@draft";
