// Connection recovery: starts a check of a rejected account after an operator has replaced its secret or the
// connection's settings. So its runs do not wait for the next scheduled check.
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

/** Requests a check of the account from the connection's object. The object then reports the result to the catalog. */
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

/** Logs that a recovery failed. The next call that uses the new secret or settings then recovers the connection. */
function logNotRecovered({ log }: RecoverDeps, connection: string, cause: unknown): void {
  log({ level: "warn", event: "connection_not_recovered", what: connection, message: String(cause) });
}
