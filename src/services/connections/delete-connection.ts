// Deletes a connection. Its object forgets breaker and token; runs that name it fail with invalid_configuration.
import { deleteConnection as remove, findConnection } from "#catalog/connections.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../upkeep/audit.ts";
import { noConnection, viewOf, type ConnectionView } from "./connection-view.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetConnections } from "./find-connection.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type DeleteConnection = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteConnection(
  deps: Deps,
  caller: Caller,
  { ref, reason, dryRun }: DeleteConnection,
): Promise<Result<ConnectionView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findConnection(deps.db, tenant.value, ref);
  if (row === null) return refuse(noConnection(ref));
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, { ...caller, tenant: tenant.value }, "connection.delete", row.id, reason);
  await remove(deps.db, tenant.value, row.id, deps.now(), audit);
  forgetConnections(tenant.value);
  try {
    await deps.gate(`${tenant.value}/${row.id}`).forget();
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
