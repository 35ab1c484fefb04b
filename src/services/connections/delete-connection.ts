// Deletes a connection. Its object forgets breaker and token; runs that name it fail with invalid_configuration.
import { deleteConnection as remove, findConnection } from "#catalog/connections.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import { noConnection, viewOf, type ConnectionView } from "./connection-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetConnections } from "./find-connection.ts";

export type DeleteConnection = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref, reason, dryRun }: DeleteConnection,
): Promise<Result<ConnectionView>> {
  const row = await findConnection(deps.db, caller.tenant, ref);
  if (row === null) return refuse(noConnection(ref));
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, caller, "connection.delete", row.id, reason);
  await remove(deps.db, caller.tenant, row.id, deps.now(), audit);
  forgetConnections(caller.tenant);
  try {
    await deps.gate(`${caller.tenant}/${row.id}`).forget();
  } catch (cause) {
    // It is never asked again: what it still holds is sealed, and harmless.
    deps.log({
      level: "warn",
      message: "a deleted connection's object was not cleared",
      connection: row.id,
      error: String(cause),
    });
  }
  return accept(viewOf(row));
}
