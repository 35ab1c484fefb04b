// Webhook signing: each receiver has its own signing key, so that no receiver can forge messages to another receiver. A
// receiver is the called URL, or the endpoint that an action names.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const endpointName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  });

/**
 * The `since` of the original signing key, which all receivers of a tenant share. The `since` of a later key version is
 * the time of its rotation.
 */
export const TENANT_WIDE = 0;

/** The current key version of a tenant, or of one receiver. */
export type SigningRotation = {
  readonly since: number;
  /** The previous key version. Until `previousUntil` (epoch ms) both versions sign. */
  readonly previous: number;
  readonly previousUntil: number;
};

/** A key version that signs now. `until`: when the version stops signing (epoch ms); null for the current version. */
export type SigningKeyVersion = { readonly generation: number; readonly until: number | null };

/** A key that signs now. `since` is null for the original key of the tenant. */
export type SigningKey = {
  readonly secret: string;
  readonly kind: "endpoint" | "tenant";
  readonly since: number | null;
  readonly until: number | null;
};

/** The key that signs a call: a receiver's key, or the tenant's own secret. */
export type SignFor = { readonly endpoint: string } | { readonly own: string };

/**
 * Returns the name of the receiver at a URL: the URL's origin and path. The name of an endpoint contains no "://", so
 * both cannot be equal.
 */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Returns a receiver's name for lists. The path of a URL is hidden, because a webhook's path may be confidential. */
export function endpointShown(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).origin}/…` : endpoint;
}
