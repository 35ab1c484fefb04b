// Named deletion: deletes a row, so that it is no longer found and its name is free again. Work in progress continues.
import { deleteNamed as remove, type NamedRow } from "#catalog/named.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { notFound, viewOf, type NamedNoun, type NamedView } from "./named-noun.ts";

export type DeleteNamed = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteNamed<Row extends NamedRow>(
  deps: Deps,
  caller: TenantCaller,
  noun: NamedNoun<Row>,
  { ref, reason, dryRun }: DeleteNamed,
): Promise<Result<NamedView<Row>>> {
  const row = await noun.find(deps.db, caller.tenant, ref);
  if (row === null) return refuse(notFound(noun, ref));
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, caller, `${noun.verb}.delete`, row.id, reason);
  await remove(deps.db, noun.rows, row, deps.now(), audit);
  noun.evict(caller.tenant);
  return accept(viewOf(row));
}
