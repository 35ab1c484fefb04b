// Named creation: creates a row from settings that the caller has checked. Secrets that the settings name need not
// exist yet; testing the row reports missing ones.
import { findNamed, insertNamed, type NamedRow } from "#catalog/named.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { isFull, quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { nameTaken, viewOf, type NamedNoun, type NamedView } from "./named-noun.ts";

export type NewNamed<Row extends NamedRow> = {
  readonly name: string;
  readonly complete: (row: Omit<NamedRow, "settings">) => Row;
  readonly dryRun: boolean;
};

export async function createNamed<Row extends NamedRow>(
  deps: Deps,
  { tenant, ...caller }: TenantCaller,
  noun: NamedNoun<Row>,
  { name, complete, dryRun }: NewNamed<Row>,
): Promise<Result<NamedView<Row>>> {
  const now = deps.now();
  const id = timeOrderedId(noun.idPrefix, now, deps.randomBytes(10));
  const row = complete({ tenant, id, name, createdAt: now, updatedAt: now, deletedAt: null });
  if (dryRun) {
    const isTaken = (await findNamed(deps.db, noun.rows, tenant, name)) !== null;
    return isTaken ? refuse(nameTaken(noun, name)) : accept(viewOf(row));
  }
  const audit = auditRow(deps, { ...caller, tenant }, `${noun.verb}.create`, id);
  deps.answerWith?.(viewOf(row));
  const inserted = await insertNamed(deps.db, noun.rows, noun.quota, row, audit);
  if (!inserted.isMade) return refuse(isFull(inserted) ? quotaFull(noun.quota, inserted) : nameTaken(noun, name));
  warnWhenNear(deps, tenant, noun.quota, inserted);
  noun.evict(tenant);
  return accept(viewOf(row));
}
