// Latest versions: lists a tenant's definitions, or its templates, by name.
import type { Page } from "#catalog/page.ts";
import { listLatest as list, type SummaryOf, type VersionRow } from "#catalog/versioned.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

export type ListLatest = { readonly cursor: string | null; readonly limit: number };

export async function listLatest<Row extends VersionRow, Key>(
  deps: Deps,
  caller: TenantCaller,
  { versions }: VersionedNoun<Row, Key>,
  { cursor, limit }: ListLatest,
): Promise<Result<Page<SummaryOf<Row>>>> {
  return list(deps.db, versions, caller.tenant, cursor, limit);
}
