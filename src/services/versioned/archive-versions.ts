// Version archiving: archives one version, or all versions of a name. An archived version starts no executions, and
// running ones continue. If the current version is archived, the name resolves to the version before it.
import { archiveVersions as archive, countArchivable, findVersion, type VersionRow } from "#catalog/versioned.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { auditRow } from "../audit/audit.ts";
import { missingVersion } from "./suggest-names.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

export type ArchiveVersions = {
  /** The version to archive. If it is a name alone, all versions of the name are archived. */
  readonly reference: string;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ArchivedVersions = { readonly name: string; readonly archived: number };

export async function archiveVersions<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  { word, versions, keyOf, evict: forget }: VersionedNoun<Row, Key>,
  { reference, reason, dryRun }: ArchiveVersions,
): Promise<Result<ArchivedVersions>> {
  const { db } = deps;
  const { tenant } = caller;
  const key = keyOf(reference, null);
  const row = key === null ? null : await findVersion(db, versions, tenant, key);
  if (key === null || row === null) return refuse(await missingVersion(deps, { word, versions }, tenant, reference));
  const { name } = row;
  if (dryRun) return accept({ name, archived: await countArchivable(db, versions, tenant, key) });
  const audit = auditRow(deps, caller, `${word}.archive`, reference, reason);
  const archived = await archive(db, versions, row, key, audit.at, audit);
  forget(tenant, name);
  return accept({ name, archived });
}
