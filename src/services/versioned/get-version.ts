// Version reads: gets a version by name (the current one), by name and version, or by its own id. Each call reads the
// catalog, so starts use the cached lookups instead.
import { findVersion, type VersionRow } from "#catalog/versioned.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { missingVersion } from "./suggest-names.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

export async function getVersion<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  noun: VersionedNoun<Row, Key>,
  reference: string,
  version: number | null = null,
): Promise<Result<Row>> {
  const key = noun.keyOf(reference, version);
  const row = key === null ? null : await findVersion(deps.db, noun.versions, caller.tenant, key);
  return row === null ? refuse(await missingVersion(deps, noun, caller.tenant, reference)) : accept(row);
}
