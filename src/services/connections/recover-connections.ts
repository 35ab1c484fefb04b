// Connection recovery: a secret was replaced, or a connection's settings were changed, so rejected credentials may be
// valid now. Triggers a check at once instead of waiting for the next one.
import { listRejectedConnections, type StoredConnection } from "#catalog/connections.ts";
import type { Deps } from "../deps.ts";

type MendDeps = Pick<Deps, "db" | "gate" | "log">;

export async function recoverConnectionsWith(deps: MendDeps, tenant: string, secret: string): Promise<void> {
  try {
    const inNeed = await listRejectedConnections(deps.db, tenant);
    const named = inNeed.filter(({ settings }) => Object.values(settings.credentials ?? {}).includes(secret));
    await Promise.all(named.map((row) => recoverConnection(deps, row)));
  } catch (cause) {
    notMended(deps, tenant, cause);
  }
}

/** Its object updates the catalog. */
export async function recoverConnection(
  deps: MendDeps,
  { tenant, id }: Pick<StoredConnection, "tenant" | "id">,
): Promise<void> {
  try {
    await deps.gate(`${tenant}/${id}`).mended();
  } catch (cause) {
    notMended(deps, `${tenant}/${id}`, cause);
  }
}

/** The next call with the new secret or settings has the same effect. */
function notMended({ log }: MendDeps, what: string, cause: unknown): void {
  log({ level: "warn", event: "connection_not_mended", what, message: String(cause) });
}
