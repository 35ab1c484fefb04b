// Stream ends: the WebSocket code and reason with which the engine closes a live stream.

export type LiveEnd = "key" | "lifetime" | "execution";

export const liveEnds: { readonly [why in LiveEnd]: { readonly code: number; readonly reason: string } } = {
  /** WebSocket codes from 4000 on are for applications. */
  key: { code: 4401, reason: "the key has been revoked or has expired" },
  lifetime: { code: 4408, reason: "the maximum time is over: connect again, and read missed entries from the journal" },
  execution: { code: 4410, reason: "the execution's history was deleted" },
};

/** The object's query to the Worker, which reads the catalog: it returns the keys that are no longer valid. */
export type ListenerKeysPort = { endedKeys(tenant: string, keys: readonly string[]): Promise<readonly string[]> };
