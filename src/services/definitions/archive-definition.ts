// Archives one version of a definition, or all of a name: no new executions of it; those that run go on.
// With its latest version archived, a name means the one before again: that is also how to roll back.
import { archiveDefinition as archive, countArchivable, findDefinition } from "#catalog/definitions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../upkeep/audit.ts";
import { parseReference } from "./definition-reference.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetDefinition, notFound } from "./find-definition.ts";

export type ArchiveDefinition = {
  /** name (all its versions), name@version or id. */
  readonly definition: string;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ArchivedDefinition = { readonly name: string; readonly archived: number };

export async function archiveDefinition(
  deps: Deps,
  caller: TenantCaller,
  { definition, reason, dryRun }: ArchiveDefinition,
): Promise<Result<ArchivedDefinition>> {
  const key = parseReference(definition);
  const row = key === null ? null : await findDefinition(deps.db, caller.tenant, key);
  if (key === null || row === null) return refuse(notFound(definition));
  if (dryRun) return accept({ name: row.name, archived: await countArchivable(deps.db, caller.tenant, key) });
  const audit = auditRow(deps, caller, "definition.archive", definition, reason);
  const archived = await archive(deps.db, caller.tenant, key, deps.now(), audit);
  forgetDefinition(caller.tenant, row.name);
  return accept({ name: row.name, archived });
}
