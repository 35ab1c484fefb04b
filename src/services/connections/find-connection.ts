// Connection lookup: finds the connection that an action names, or the tenant's only connection for the provider. The
// isolate caches connections for a few seconds, and for longer while D1 does not answer. So an outage of D1 does not
// make runs fail.
import { connectionsOf, findConnection as find, type StoredConnection } from "#catalog/connections.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { isUsable, providersFor } from "#schema/provider/providers.ts";
import type { Deps } from "../deps.ts";
import { dropCached, openIsolateCache, readCached } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

export type FoundConnection =
  | { readonly ok: true; readonly row: StoredConnection }
  | { readonly ok: false; readonly error: ActionError };

const connectionCache = openIsolateCache<readonly StoredConnection[]>({
  sizeMax: isolateCaches.connections.sizeMax,
  // If no connection was found, nothing is cached. So a connection that is created now takes effect immediately.
  freshMs: (rows) => (rows.length === 0 ? 0 : isolateCaches.connections.freshMs),
  staleMs: (rows) => (rows.length === 0 ? 0 : isolateCaches.connections.staleMs),
});

/**
 * Caches connections for callbacks. Names without a connection are cached as well, because otherwise the response time
 * would reveal to unauthenticated callers whether a connection exists.
 */
const callbackCache = openIsolateCache<StoredConnection | null>({
  sizeMax: isolateCaches.connections.sizeMax,
  freshMs: () => isolateCaches.connections.freshMs,
  staleMs: () => isolateCaches.connections.staleMs,
});

/** The connection whose callbacks a URL receives. */
export type CallbackConnection = StoredConnection;

/**
 * Finds a connection by name for an unauthenticated request. The lookup takes as long for a missing connection as for
 * an existing one.
 */
export function findForUnverified(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  name: string,
): Promise<StoredConnection | null> {
  const load = () => withTimeLimit(isolateCaches.connections.lookMs, find(deps.db, tenant, name));
  return readCached(callbackCache, `${tenant}\n${name}`, deps.now, load);
}

/** Finds the connection of an action. Throws if the catalog does not answer and nothing is cached. */
export async function findConnection(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  name: string | null,
  provider: string,
): Promise<FoundConnection> {
  const load = async () => {
    if (name === null) return connectionsOf(deps.db, tenant, providersFor(provider));
    const row = await find(deps.db, tenant, name);
    return row === null ? [] : [row];
  };
  const key = `${tenant}\n${name === null ? `of ${provider}` : `is ${name}`}`;
  const rows = await readCached(connectionCache, key, deps.now, () =>
    withTimeLimit(isolateCaches.connections.lookMs, load()),
  );
  const [row, second] = rows;
  if (row === undefined) return misconfigured(missingText(name, provider), "connection_missing");
  if (second !== undefined) {
    const names = rows.map((each) => each.name).join(", ");
    const field = provider === "http" ? "service" : "connection";
    return misconfigured(
      `there are several connections for ${provider} (${names}): set config.${field} to one of them`,
      "connection_ambiguous",
    );
  }
  if (!isUsable(provider, row.provider, name !== null)) {
    return misconfigured(
      `the connection ${row.name} is for ${row.provider}, but this action calls ${provider}`,
      "connection_mismatch",
    );
  }
  return { ok: true, row };
}

/** Returns the connections that an action without a connection's name may use, at most a few. Nothing is cached. */
export function usableConnections(
  { db }: Pick<Deps, "db">,
  tenant: string,
  provider: string,
): Promise<readonly StoredConnection[]> {
  return connectionsOf(db, tenant, providersFor(provider));
}

/** Evicts the tenant's connections from this isolate's cache after one was changed. */
export function evictConnections(tenant: string): void {
  dropCached(connectionCache, (_rows, key) => key.startsWith(`${tenant}\n`));
  dropCached(callbackCache, (_row, key) => key.startsWith(`${tenant}\n`));
}

function missingText(name: string | null, provider: string): string {
  const absent = name === null ? `no connection for ${provider}` : `no connection "${name}"`;
  const { kind, providers } = providersFor(provider);
  const example = kind === "only" ? (providers[0] ?? provider) : provider;
  return `there is ${absent}: create one with POST /v1/connections {"name":"${name ?? provider}","provider":"${example}",…}`;
}

function misconfigured(message: string, code: string): FoundConnection {
  return { ok: false, error: { type: "invalid_configuration", message, retryable: false, code } };
}
