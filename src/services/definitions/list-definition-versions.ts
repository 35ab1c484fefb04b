// Lists all versions of one definition, newest first, archived ones too.
import { listDefinitionVersions as list, type DefinitionSummary } from "#catalog/definitions.ts";
import type { Page } from "#catalog/page.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { notFound } from "./find-definition.ts";

export type ListDefinitionVersions = {
  readonly name: string;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listDefinitionVersions(
  deps: Deps,
  caller: TenantCaller,
  { name, cursor, limit }: ListDefinitionVersions,
): Promise<Result<Page<DefinitionSummary>>> {
  const page = await list(deps.db, caller.tenant, name, cursor, limit);
  // A definition has at least one version: an empty first page means that there is no such name.
  return page.ok && cursor === null && page.value.data.length === 0 ? refuse(notFound(name)) : page;
}
