// Preconditions: the state in which a client expects a resource before it writes. The headers If-Match and If-None-Match
// express them.

export type Precondition =
  | { readonly kind: "none" }
  /** The resource exists in any state. */
  | { readonly kind: "exists" }
  /** The resource does not exist, so the request only creates it. */
  | { readonly kind: "absent" }
  /** The resource has one of these tags. */
  | { readonly kind: "matches"; readonly tags: readonly string[] };

/** The effect of a write. `unchanged`: the stored resource already equals the request. */
export const putResults = ["created", "changed", "unchanged"] as const;
export type PutResult = (typeof putResults)[number];
