// Reads one version of a definition: by name (the latest), by name and version, or by id. Not the hot path.
import { findDefinition, type StoredDefinition } from "#catalog/definitions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { parseReference } from "./definition-reference.ts";
import type { Caller, Deps } from "../deps.ts";
import { notFound } from "./find-definition.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type GetDefinition = {
  /** name, name@version or id. */
  readonly definition: string;
  readonly version: number | null;
};

export async function getDefinition(
  deps: Deps,
  caller: Caller,
  { definition, version }: GetDefinition,
): Promise<Result<StoredDefinition>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const key = parseReference(definition, version);
  const row = key === null ? null : await findDefinition(deps.db, tenant.value, key);
  return row === null ? refuse(notFound(definition)) : accept(row);
}
