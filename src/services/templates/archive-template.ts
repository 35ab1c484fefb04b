// Archives one version of a template, or all of a name: no new definition may use it; those that are pinned to it go
// on. With its latest version archived, a name means the one before again: that is also how to roll back.
import { archiveTemplate as archive, countArchivableTemplates, findTemplate } from "#catalog/templates.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../upkeep/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetTemplate } from "./find-template.ts";
import { parseTemplateReference, templateNotFound } from "./template-reference.ts";

export type ArchiveTemplate = {
  /** name (all its versions) or name@version. */
  readonly template: string;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ArchivedTemplate = { readonly name: string; readonly archived: number };

export async function archiveTemplate(
  deps: Deps,
  caller: TenantCaller,
  { template, reason, dryRun }: ArchiveTemplate,
): Promise<Result<ArchivedTemplate>> {
  const key = parseTemplateReference(template);
  const row = await findTemplate(deps.db, caller.tenant, key);
  if (row === null) return refuse(templateNotFound(template));
  const { name } = row;
  if (dryRun) return accept({ name, archived: await countArchivableTemplates(deps.db, caller.tenant, key) });
  const audit = auditRow(deps, caller, "template.archive", template, reason);
  const archived = await archive(deps.db, caller.tenant, key, deps.now(), audit);
  forgetTemplate(caller.tenant, name);
  return accept({ name, archived });
}
