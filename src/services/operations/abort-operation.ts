// Ends an operation before its time. What it has sent again stays sent; the rest stays what it is, dead letters.
import { findOperation } from "#catalog/operations.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { noOperation, shownFromObject, type ShownOperation } from "./operation-view.ts";
import { reach } from "../cells/reach.ts";

export type AbortOperation = { readonly operation: string; readonly reason: string | null; readonly dryRun: boolean };
export type AbortedOperation = { readonly operation: ShownOperation; readonly repeated: boolean };

export async function abortOperation(
  deps: Deps,
  caller: TenantCaller,
  { operation: id, reason, dryRun }: AbortOperation,
): Promise<Result<AbortedOperation>> {
  const ask = { actor: caller.actor, reason, dryRun };
  const reached = await reach(() => deps.operation(`${caller.tenant}/${id}`).abort(ask), "operation");
  const answer = reached.ok ? reached.value : reached;
  if (answer.ok) return accept({ ...answer.value, operation: shownFromObject(answer.value.operation) });
  const { code } = answer.refusal;
  if (code === "not_found")
    return refuse((await findOperation(deps.db, caller.tenant, id)) === null ? noOperation(id) : final(id));
  return code === "operation_final" ? refuse(final(id)) : answer;
}

function final(id: string) {
  const message = `The operation ${id} has ended.`;
  return { code: "operation_final", message, hint: "Nothing is left of it to be aborted." } as const;
}
