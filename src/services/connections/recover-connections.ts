// Connection recovery: starts a check of an account with rejected credentials after its secret or its connection's
// settings were replaced. So the connection does not wait for its next scheduled check.
import { listRejectedConnections, type StoredConnection } from "#catalog/connections.ts";
import type { Deps } from "../deps.ts";

type RecoverDeps = Pick<Deps, "db" | "gate" | "log">;

export async function recoverConnectionsWith(deps: RecoverDeps, tenant: string, secret: string): Promise<void> {
  try {
    const rejected = await listRejectedConnections(deps.db, tenant);
    const affected = rejected.filter(({ settings }) => Object.values(settings.credentials ?? {}).includes(secret));
    await Promise.all(affected.map((row) => recoverConnection(deps, row)));
  } catch (cause) {
    logNotRecovered(deps, tenant, cause);
  }
}

/** Requests a check of the account from the connection's object, which then updates the catalog. */
export async function recoverConnection(
  deps: RecoverDeps,
  { tenant, id }: Pick<StoredConnection, "tenant" | "id">,
): Promise<void> {
  try {
    await deps.gate(`${tenant}/${id}`).clearAttention();
  } catch (cause) {
    logNotRecovered(deps, `${tenant}/${id}`, cause);
  }
}

/**
 * Logs the failure of a recovery. Nothing else is needed, because the next call with the new secret or settings
 * recovers the connection, too.
 */
function logNotRecovered({ log }: RecoverDeps, connection: string, cause: unknown): void {
  log({ level: "warn", event: "connection_not_recovered", what: connection, message: String(cause) });
}
