// Callback addresses: the URL to enter at a provider, so that its callbacks reach the engine.
import type { StoredConnection } from "#catalog/connections.ts";
import { callbackCredential, callbackPath } from "#schema/provider/callback-credentials.ts";
import type { Deps } from "../deps.ts";

/** Returns the engine's address for this connection, without a slash at its end; null if none is configured. */
export function publicUrlOf(
  { installation }: Pick<Deps, "installation">,
  row: Pick<StoredConnection, "settings"> | null,
): string | null {
  const own = row?.settings.settings?.["publicUrl"];
  const url = typeof own === "string" && own !== "" ? own : installation.publicUrl;
  return url?.replace(/\/+$/, "") ?? null;
}

/** Returns the URL that receives the connection's callbacks; null if its provider sends none, or if no URL is known. */
export function callbackUrlOf(deps: Pick<Deps, "installation">, row: StoredConnection): string | null {
  const base = publicUrlOf(deps, row);
  if (base === null || callbackCredential(row.provider) === null) return null;
  return base + callbackPath(row.provider, row.tenant, row.name);
}
