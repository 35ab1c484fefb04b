// Webhook signing: each receiver has its own signing key, so that no receiver can forge messages to another. A receiver
// is the called URL, or the endpoint that an action names.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const endpointName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  });

/**
 * The `since` of the original signing key, which all receivers of a tenant share. Later key versions have the time of
 * their rotation as `since`.
 */
export const TENANT_WIDE = 0;

/** The current key version of a tenant, or of one receiver. */
export type SigningRotation = {
  readonly since: number;
  /** The previous key version. Until `previousUntil` (epoch ms), the current and the previous version sign. */
  readonly previous: number;
  readonly previousUntil: number;
};

/** A key version that signs now. `until`: when it stops signing (epoch ms). Null for the current version. */
export type SigningKeyVersion = { readonly generation: number; readonly until: number | null };

/** A key that signs now. `since` is null for the tenant's original key. */
export type SigningKey = {
  readonly secret: string;
  readonly kind: "endpoint" | "tenant";
  readonly since: number | null;
  readonly until: number | null;
};

/** The key that signs a call: that of a receiver, or a secret of the tenant. */
export type SignFor = { readonly endpoint: string } | { readonly own: string };

/**
 * Returns the name of the receiver at a URL, which is the URL's origin and path. It contains "://", and an endpoint's
 * name never does, so the two cannot be equal.
 */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Returns a receiver's name for lists. A URL's path is hidden, because that of a webhook may be confidential. */
export function endpointShown(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).origin}/…` : endpoint;
}
