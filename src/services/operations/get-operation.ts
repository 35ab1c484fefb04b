// Reads how far an operation is: from its object, or from the catalog once the object has let go.
import { findOperation } from "#catalog/operations.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { noOperation, shownFromObject, shownFromRow, type ShownOperation } from "./operation-view.ts";
import { reach } from "../cells/reach.ts";

export type GetOperation = { readonly operation: string };

export async function getOperation(
  deps: Deps,
  caller: TenantCaller,
  { operation: id }: GetOperation,
): Promise<Result<ShownOperation>> {
  const held = await reach(() => deps.operation(`${caller.tenant}/${id}`).read(), "operation");
  if (!held.ok) return held;
  if (held.value !== null) return accept(shownFromObject(held.value));
  const row = await findOperation(deps.db, caller.tenant, id);
  return row === null ? refuse(noOperation(id)) : accept(shownFromRow(row));
}
