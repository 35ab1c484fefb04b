// Why a live stream ends from our side: a code and a sentence of the WebSocket's, for whoever listens.

export type LiveEnd = "key" | "lifetime" | "execution";

export const liveEnds: { readonly [why in LiveEnd]: { readonly code: number; readonly reason: string } } = {
  /** Codes from 4000 on are an application's own. */
  key: { code: 4401, reason: "the key has been revoked or has expired" },
  lifetime: {
    code: 4408,
    reason: "listened long enough: connect again, and read from the journal what came meanwhile",
  },
  execution: { code: 4410, reason: "the execution's history is gone" },
};

/** What an object asks the Worker, which knows the catalog: which of these keys let nobody in any more. */
export type ListenerKeysPort = { endedKeys(tenant: string, keys: readonly string[]): Promise<readonly string[]> };
