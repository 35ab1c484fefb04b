// Stream ends: why the engine closes a live stream: a WebSocket code and a reason for the subscriber.

export type LiveEnd = "key" | "lifetime" | "execution";

export const liveEnds: { readonly [why in LiveEnd]: { readonly code: number; readonly reason: string } } = {
  /** Codes from 4000 on are for applications. */
  key: { code: 4401, reason: "the key has been revoked or has expired" },
  lifetime: { code: 4408, reason: "the maximum time is over: connect again, and read missed entries from the journal" },
  execution: { code: 4410, reason: "the execution's history was deleted" },
};

/** The object's query to the Worker, which reads the catalog: which of these keys are no longer valid. */
export type ListenerKeysPort = { endedKeys(tenant: string, keys: readonly string[]): Promise<readonly string[]> };
