// Stream ends: the WebSocket code and the reason with which the engine closes a live stream.

export type LiveEnd = "key" | "lifetime" | "ended" | "deleted";

export const liveEnds: { readonly [why in LiveEnd]: { readonly code: number; readonly reason: string } } = {
  /** WebSocket reserves the codes from 4000 on for applications. */
  key: { code: 4401, reason: "the API key has been revoked or has expired" },
  lifetime: {
    code: 4408,
    reason: "the WebSocket has reached its maximum time: connect again, and read missed entries from the journal",
  },
  ended: { code: 4200, reason: "the execution has ended" },
  deleted: { code: 4410, reason: "the execution's history was deleted" },
};

/**
 * The object's call to the Worker. It returns those of the subscribers' keys that are revoked or expired in the
 * catalog.
 */
export type ListenerKeysPort = { endedKeys(tenant: string, keys: readonly string[]): Promise<readonly string[]> };
