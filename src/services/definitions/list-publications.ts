// What a definition's name has meant, newest first, and who made it so.
import type { Page } from "#catalog/page.ts";
import { listPublications as list, type Publication } from "#catalog/publications/publications.ts";
import { findByName } from "#catalog/versioned.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { missing } from "../versioned/near-names.ts";
import { definitionNoun } from "./definition-noun.ts";

export type ListPublications = { readonly name: string; readonly cursor: string | null; readonly limit: number };

export async function listPublications(
  deps: Deps,
  { tenant }: TenantCaller,
  { name, cursor, limit }: ListPublications,
): Promise<Result<Page<Publication>>> {
  const page = await list(deps.db, tenant, name, cursor, limit);
  if (!page.ok || cursor !== null || page.value.data.length > 0) return page;
  // Names from before there were publications have none.
  const known = await findByName(deps.db, definitionNoun.versions, tenant, name);
  return known === null ? refuse(await missing(deps, definitionNoun, tenant, name)) : page;
}
