// The connection that an action means: the one it names, or the tenant's only one for the provider. Remembered by the
// isolate for a few seconds, and longer where D1 does not answer: a run must not fail with it.
import { connectionsOf, findConnection as find, type StoredConnection } from "#catalog/connections.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { drop, isolateCache, cached } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

export type FoundConnection =
  | { readonly ok: true; readonly row: StoredConnection }
  | { readonly ok: false; readonly error: ActionError };

/** What any provider's connection will do for: it says how to reach something that speaks HTTP. */
const GENERIC = "http";

const seen = isolateCache<readonly StoredConnection[]>({
  sizeMax: remembered.connections.sizeMax,
  // That there is none is not remembered: creating one is the cure, and works at once.
  freshMs: (rows) => (rows.length === 0 ? 0 : remembered.connections.freshMs),
  staleMs: (rows) => (rows.length === 0 ? 0 : remembered.connections.staleMs),
});

/** For callbacks: whoever only knocks must not learn from the time it takes that there is none. */
const called = isolateCache<StoredConnection | null>({
  sizeMax: remembered.connections.sizeMax,
  freshMs: () => remembered.connections.freshMs,
  staleMs: () => remembered.connections.staleMs,
});

/** By name, for a request that comes without a key: one that is there costs as much as one that is not. */
export function findForStranger(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  name: string,
): Promise<StoredConnection | null> {
  const look = () => withTimeLimit(remembered.connections.lookMs, find(deps.db, tenant, name));
  return cached(called, `${tenant}\n${name}`, deps.now, look);
}

/** Throws where the catalog does not answer and nothing is remembered. */
export async function findConnection(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  name: string | null,
  provider: string,
): Promise<FoundConnection> {
  const look = async () => {
    if (name === null) return connectionsOf(deps.db, tenant, provider);
    const row = await find(deps.db, tenant, name);
    return row === null ? [] : [row];
  };
  const key = `${tenant}\n${name === null ? `of ${provider}` : `is ${name}`}`;
  const rows = await cached(seen, key, deps.now, () => withTimeLimit(remembered.connections.lookMs, look()));
  const [row, another] = rows;
  if (row === undefined) return wrong(missing(name, provider), "connection_missing");
  if (another !== undefined) {
    const names = rows.map((each) => each.name).join(", ");
    return wrong(
      `there are several connections for ${provider} (${names}): name one in config.connection`,
      "connection_ambiguous",
    );
  }
  if (row.provider !== provider && provider !== GENERIC) {
    return wrong(
      `the connection ${row.name} is for ${row.provider}, and this action calls ${provider}`,
      "connection_mismatch",
    );
  }
  return { ok: true, row };
}

/** For the isolate in which one of them was changed. */
export function forgetConnections(tenant: string): void {
  drop(seen, (_rows, key) => key.startsWith(`${tenant}\n`));
  drop(called, (_row, key) => key.startsWith(`${tenant}\n`));
}

function missing(name: string | null, provider: string): string {
  const what = name === null ? `no connection for ${provider}` : `no connection "${name}"`;
  return `there is ${what}: create one with POST /v1/connections {"name":"${name ?? provider}","provider":"${provider}",…}`;
}

function wrong(message: string, code: string): FoundConnection {
  return { ok: false, error: { type: "invalid_configuration", message, retryable: false, code } };
}
