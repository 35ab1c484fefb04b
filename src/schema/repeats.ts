// Whether a repeated call can do harm: what a runner says of its provider.

/**
 * provider: whoever is called drops repeats of a key, for so long (null: for ever). none: a repeat cannot be told.
 * harmless: there is nothing that a repeat could do twice.
 */
export type Repeats =
  | { readonly mode: "provider"; readonly windowMs: number | null }
  | { readonly mode: "harmless" }
  | { readonly mode: "none" };
