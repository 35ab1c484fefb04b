// Reads one version of a definition: by name (the latest), by name and version, or by id. Not the hot path.
import { findDefinition, type StoredDefinition } from "#catalog/definitions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { parseReference } from "./definition-reference.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { notFound } from "./find-definition.ts";

export type GetDefinition = {
  /** name, name@version or id. */
  readonly definition: string;
  readonly version: number | null;
};

export async function getDefinition(
  deps: Deps,
  caller: TenantCaller,
  { definition, version }: GetDefinition,
): Promise<Result<StoredDefinition>> {
  const key = parseReference(definition, version);
  const row = key === null ? null : await findDefinition(deps.db, caller.tenant, key);
  return row === null ? refuse(notFound(definition)) : accept(row);
}
