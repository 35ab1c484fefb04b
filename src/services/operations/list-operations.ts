// Lists a tenant's operations, newest first. Of those that run the objects are asked, as far as they are few.
import { listOperations as list, type OperationFilters, type StoredOperation } from "#catalog/operations.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { OPERATIONS_ASKED_MAX } from "#schema/limits/upkeep.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { shownFromObject, shownFromRow, type ShownOperation } from "./operation-view.ts";

export type ListOperations = {
  readonly filters: OperationFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listOperations(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit }: ListOperations,
): Promise<Result<Page<ShownOperation>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const running = new Set(
    page.value.data.filter(({ status }) => status === "running" || status === "open").slice(0, OPERATIONS_ASKED_MAX),
  );
  const data = await Promise.all(
    page.value.data.map((row) => (running.has(row) ? asItIs(deps, row) : shownFromRow(row))),
  );
  return accept({ ...page.value, data });
}

/** An object that cannot be asked does not keep the others from being listed. */
async function asItIs(deps: Deps, row: StoredOperation): Promise<ShownOperation> {
  const view = await deps
    .operation(`${row.tenant}/${row.id}`)
    .read()
    .catch(() => null);
  return view === null ? shownFromRow(row) : shownFromObject(view);
}
