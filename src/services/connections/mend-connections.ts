// A secret was set anew, or a connection's settings were changed: what was refused before may be taken now. Nobody waits
// for the next look then.
import { listInNeed, type StoredConnection } from "#catalog/connections.ts";
import type { Deps } from "../deps.ts";

type MendDeps = Pick<Deps, "db" | "gate" | "log">;

export async function mendConnectionsWith(deps: MendDeps, tenant: string, secret: string): Promise<void> {
  try {
    const inNeed = await listInNeed(deps.db, tenant);
    const named = inNeed.filter(({ settings }) => Object.values(settings.credentials ?? {}).includes(secret));
    await Promise.all(named.map((row) => mendConnection(deps, row)));
  } catch (cause) {
    notMended(deps, tenant, cause);
  }
}

/** Its object sees to it that the lists show it. */
export async function mendConnection(
  deps: MendDeps,
  { tenant, id }: Pick<StoredConnection, "tenant" | "id">,
): Promise<void> {
  try {
    await deps.gate(`${tenant}/${id}`).mended();
  } catch (cause) {
    notMended(deps, `${tenant}/${id}`, cause);
  }
}

/** The next that asks with the new secret or settings finds out all the same. */
function notMended({ log }: MendDeps, what: string, cause: unknown): void {
  log({ level: "warn", event: "connection_not_mended", what, message: String(cause) });
}
