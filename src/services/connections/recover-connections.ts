// Connection recovery: after a secret or a connection's settings were replaced, rejected credentials may be valid. It
// starts a check at once, instead of waiting for the next one.
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

/** A failure is only logged: the next call with the new secret or settings has the same effect. */
function logNotRecovered({ log }: RecoverDeps, connection: string, cause: unknown): void {
  log({ level: "warn", event: "connection_not_mended", what: connection, message: String(cause) });
}
