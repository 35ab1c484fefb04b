// Idempotency support: whether a provider detects repeated calls. Its runner declares this.

/**
 * provider: the provider ignores repeats of a key for `windowMs` (null: forever). none: it does not detect repeats.
 * harmless: a repeat has no second effect.
 */
export type IdempotencySupport =
  | { readonly mode: "provider"; readonly windowMs: number | null }
  | { readonly mode: "harmless" }
  | { readonly mode: "none" };
