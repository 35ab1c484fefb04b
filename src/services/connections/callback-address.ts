// Callback addresses: the URL to enter at a provider, so that its callbacks reach the engine, and what is missing for it.
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

/**
 * Whether the provider's callbacks reach their runs. key_missing: the connection names no secret that verifies them.
 * url_missing: the engine does not know its own address. Null if the provider sends no callbacks.
 */
export type CallbackState = "configured" | "key_missing" | "url_missing" | null;

export type Callbacks = {
  /** The URL that receives the callbacks; null if the provider sends none, or if the engine's address is unknown. */
  readonly url: string | null;
  /** The field of the credentials that callbacks need; null if the provider sends none. */
  readonly credential: string | null;
  readonly state: CallbackState;
};

export function callbacksOf(
  deps: Pick<Deps, "installation">,
  row: Pick<StoredConnection, "provider" | "tenant" | "name" | "settings">,
): Callbacks {
  const { provider, tenant, name, settings } = row;
  const credential = callbackCredential(provider);
  if (credential === null) return { url: null, credential, state: null };
  const base = publicUrlOf(deps, row);
  const url = base === null ? null : base + callbackPath(provider, tenant, name);
  if (!Object.hasOwn(settings.credentials ?? {}, credential)) return { url, credential, state: "key_missing" };
  return { url, credential, state: url === null ? "url_missing" : "configured" };
}
