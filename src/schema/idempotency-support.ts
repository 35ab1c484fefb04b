// Idempotency support: whether a repeated call can do harm, as a runner declares of its provider.

/**
 * provider: the provider drops repeats of a key, for this long (null: forever). none: repeats are not detected.
 * harmless: a repeat has no second effect.
 */
export type IdempotencySupport =
  | { readonly mode: "provider"; readonly windowMs: number | null }
  | { readonly mode: "harmless" }
  | { readonly mode: "none" };
