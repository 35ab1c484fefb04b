// Lists all versions of one template, newest first, archived ones too.
import { listTemplateVersions as list, type TemplateSummary } from "#catalog/templates.ts";
import type { Page } from "#catalog/page.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { templateNotFound } from "./template-reference.ts";

export type ListTemplateVersions = {
  readonly name: string;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listTemplateVersions(
  deps: Deps,
  caller: TenantCaller,
  { name, cursor, limit }: ListTemplateVersions,
): Promise<Result<Page<TemplateSummary>>> {
  const page = await list(deps.db, caller.tenant, name, cursor, limit);
  // A template has at least one version: an empty first page means that there is no such name.
  return page.ok && cursor === null && page.value.data.length === 0 ? refuse(templateNotFound(name)) : page;
}
