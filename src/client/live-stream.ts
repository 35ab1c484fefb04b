// Received messages of one WebSocket: entries in order, and then the end. If the reader falls behind, the stream ends
// early, and the reader continues with the journal.
import type { ApiEntry } from "#wire/history/shape.ts";

/** How a WebSocket ended. 1006: the connection was lost. */
export type StreamEnd = { readonly code: number; readonly reason: string };
export type LiveStream = {
  /** Resolves when the WebSocket is open, or cannot be opened. */
  readonly ready: Promise<void>;
  readonly next: () => Promise<{ readonly entry: ApiEntry } | { readonly end: StreamEnd }>;
  readonly close: () => void;
};

/** The part of a WebSocket that the client uses. */
export type LiveSocket = Pick<WebSocket, "addEventListener" | "close">;

const BUFFERED_ENTRIES_MAX = 1_000;
const LOST = 1006;

export function openStream(socket: LiveSocket): LiveStream {
  const received: ApiEntry[] = [];
  let end: StreamEnd | null = null;
  let wake = (): void => {};
  const endWith = (how: StreamEnd): void => {
    end ??= how;
    wake();
  };
  const ready = new Promise<void>((resolve) => {
    for (const event of ["open", "close", "error"] as const) socket.addEventListener(event, () => resolve());
  });
  const close = (): void => {
    endWith({ code: LOST, reason: "closed by the client" });
    socket.close();
  };
  socket.addEventListener("message", ({ data }) => {
    if (end !== null) return;
    if (received.length === BUFFERED_ENTRIES_MAX) return close();
    received.push(JSON.parse(String(data)) as ApiEntry); // The engine sends only entries.
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => endWith({ code, reason }));
  socket.addEventListener("error", () => endWith({ code: LOST, reason: "the connection was lost" }));
  const next = async (): ReturnType<LiveStream["next"]> => {
    for (;;) {
      const entry = received.shift();
      if (entry !== undefined) return { entry };
      if (end !== null) return { end };
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { ready, next, close };
}
