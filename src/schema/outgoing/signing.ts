// What outbound webhooks are signed with: a key for each receiver, so that none can forge messages to another. A receiver
// is the address that is called, or the endpoint that an action names.
import { z } from "zod";
import { limits } from "../limits.ts";

export const endpointName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "a small letter, then small letters, digits, _ or -" });

/**
 * The instant since which a key is a receiver's, by its own rotation or by its tenant's; keys of two generations have
 * nothing in common. This one is the key that all of a tenant's receivers once had in common.
 */
export const TENANT_WIDE = 0;

/** What a tenant's rotations, or a receiver's own, have come to. */
export type SigningRotation = {
  readonly since: number;
  /** The generation before, which signs until then as well. */
  readonly previous: number;
  readonly previousUntil: number;
};

/** A generation that signs now. */
export type SigningGeneration = { readonly generation: number; readonly until: number | null };

/** A key that signs now; `since` is null for the tenant-wide one, which was always there. */
export type SigningKey = {
  readonly secret: string;
  readonly kind: "endpoint" | "tenant";
  readonly since: number | null;
  readonly until: number | null;
};

/** What a call is to be signed with: a receiver's keys, or a key that the tenant has brought. */
export type SignFor = { readonly endpoint: string } | { readonly own: string };

/** Origin and path as they are called: two customers' hooks on one host are two receivers. A name has no "://". */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** How a receiver is shown and kept: paths of hooks are as good as passwords. */
export function endpointShown(endpoint: string): string {
  return URL.canParse(endpoint) ? `${new URL(endpoint).origin}/…` : endpoint;
}
