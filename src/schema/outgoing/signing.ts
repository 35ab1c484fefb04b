// Webhook signing: a key for each receiver, so that none can forge messages to another. A receiver is the called
// address, or the endpoint that an action names.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const endpointName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "must be a lower-case letter, then lower-case letters, digits, _ or -" });

/**
 * The instant since which a key is valid, by the receiver's own rotation or its tenant's; keys of two versions are
 * independent. This one is the key that all of a tenant's receivers once shared.
 */
export const TENANT_WIDE = 0;

/** The current state of a tenant's rotations, or of a receiver's own. */
export type SigningRotation = {
  readonly since: number;
  /** The version before, which also signs until then. */
  readonly previous: number;
  readonly previousUntil: number;
};

/** A key version that signs now. */
export type SigningGeneration = { readonly generation: number; readonly until: number | null };

/** A key that signs now; `since` is null for the original tenant-wide one. */
export type SigningKey = {
  readonly secret: string;
  readonly kind: "endpoint" | "tenant";
  readonly since: number | null;
  readonly until: number | null;
};

/** The key of a call: a receiver's, or the tenant's own. */
export type SignFor = { readonly endpoint: string } | { readonly own: string };

/** Origin and path as called: two customers' hooks on one host are two receivers. A name has no "://". */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** A receiver as shown and stored: paths of hooks are confidential like passwords. */
export function endpointShown(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).origin}/…` : endpoint;
}
