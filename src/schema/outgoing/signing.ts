// Webhook signing: each receiver has its own key, so that no receiver can forge messages to another. A receiver is the
// called address, or the endpoint that an action names.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const endpointName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "must be a lower-case letter, then lower-case letters, digits, _ or -" });

/**
 * The `since` of the original key, which all receivers of a tenant share. Any other key version is the instant of its
 * rotation, of one receiver or of the tenant.
 */
export const TENANT_WIDE = 0;

/** The current key version of a tenant, or of one receiver. */
export type SigningRotation = {
  readonly since: number;
  /** The previous key version. It signs until `previousUntil` (epoch ms), too. */
  readonly previous: number;
  readonly previousUntil: number;
};

/** A key version that signs now. `until`: the end of its overlap (epoch ms); null for the current version. */
export type SigningKeyVersion = { readonly generation: number; readonly until: number | null };

/** A key that signs now. `since` is null for the original key of the tenant. */
export type SigningKey = {
  readonly secret: string;
  readonly kind: "endpoint" | "tenant";
  readonly since: number | null;
  readonly until: number | null;
};

/** The key of a call: the key of a receiver, or the tenant's own secret. */
export type SignFor = { readonly endpoint: string } | { readonly own: string };

/** Returns a receiver's name: origin and path of the called URL. A named endpoint has no "://". */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Returns a receiver's name for lists. The path is hidden, because paths of webhooks are confidential. */
export function endpointShown(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).origin}/…` : endpoint;
}
