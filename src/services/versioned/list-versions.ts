// Version lists: lists all versions of one name, the newest first, including archived ones.
import type { Page } from "#catalog/page.ts";
import { listVersions as list, type SummaryOf, type VersionRow } from "#catalog/versioned.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { missingVersion } from "./suggest-names.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

export type ListVersions = { readonly name: string; readonly cursor: string | null; readonly limit: number };

export async function listVersions<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  { word, versions }: VersionedNoun<Row, Key>,
  { name, cursor, limit }: ListVersions,
): Promise<Result<Page<SummaryOf<Row>>>> {
  const page = await list(deps.db, versions, caller.tenant, name, cursor, limit);
  if (!page.ok || cursor !== null || page.value.data.length > 0) return page;
  // Every name has at least one version, so an empty first page means that the name does not exist.
  return refuse(await missingVersion(deps, { word, versions }, caller.tenant, name));
}
