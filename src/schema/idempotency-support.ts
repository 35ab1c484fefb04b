// Idempotency support: whether a provider detects repeated calls, as its runner declares.

/**
 * provider: the provider drops repeats of a key, for `windowMs` (null: forever). none: repeats are not detected.
 * harmless: a repeat has no second effect.
 */
export type IdempotencySupport =
  | { readonly mode: "provider"; readonly windowMs: number | null }
  | { readonly mode: "harmless" }
  | { readonly mode: "none" };
