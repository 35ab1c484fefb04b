// Live entries of an execution: those in the journal, and then each new entry when it is committed. If the WebSocket
// ends before the execution does, the missed entries are read from the journal, and the WebSocket is opened again.
import type { ApiEntry } from "#wire/history/shape.ts";
import type { Page } from "#wire/query.ts";
import type { ClientOptions } from "./request.ts";
import { openStream, type LiveSocket, type StreamEnd } from "./live-stream.ts";

/** The place of an entry in the journal. */
export type EntryPosition = Pick<ApiEntry, "seq" | "n">;
export type LiveOptions = {
  /** The last entry that the caller has received. The generator continues after it. Default: the whole journal. */
  readonly after?: EntryPosition;
  readonly signal?: AbortSignal;
};
export type OpenSocket = (url: string, protocols: string[]) => LiveSocket;
export type ReadJournal = (page: { readonly cursor?: string }) => Promise<Page<ApiEntry>>;

/** The close code with which the engine reports the end of the execution. */
const ENDED = 4200;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;
const START: EntryPosition = { seq: -1, n: -1 };

/**
 * Yields the entries in order, each once, and returns the close code 4200 after the execution's last entry. Throws a
 * ProblemError if the journal cannot be read, for example after the key was revoked.
 */
export async function* liveEntries(
  connect: () => LiveSocket,
  read: ReadJournal,
  { after = START, signal }: LiveOptions = {},
): AsyncGenerator<ApiEntry, StreamEnd, undefined> {
  let last: EntryPosition = after;
  let cursor: string | undefined;
  let pauseMs = PAUSE_MS_MIN;
  for (;;) {
    signal?.throwIfAborted();
    const stream = openStream(connect());
    const abort = (): void => stream.close();
    signal?.addEventListener("abort", abort);
    try {
      // The journal is read while the WebSocket is open, so that no entry is missed between the two.
      await stream.ready;
      for (;;) {
        const page = await read(cursor === undefined ? {} : { cursor });
        for (const entry of page.data.filter((each) => isAfter(each, last))) yield (last = entry);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      for (;;) {
        const received = await stream.next();
        if ("end" in received) {
          if (received.end.code === ENDED) return received.end;
          break;
        }
        pauseMs = PAUSE_MS_MIN;
        if (isAfter(received.entry, last)) yield (last = received.entry);
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      stream.close();
    }
    signal?.throwIfAborted();
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
  }
}

/** Opens the WebSocket of an execution. The key is in the list of protocols, because a WebSocket has no headers. */
export function connectLive(
  { baseUrl, key, tenant, webSocket = platformSocket }: ClientOptions,
  id: string,
): LiveSocket {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/v1/executions/${encodeURIComponent(id)}/live`);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  return webSocket(url.href, ["escapement.v1", `key.${key}`, ...(tenant === undefined ? [] : [`tenant.${tenant}`])]);
}

function platformSocket(url: string, protocols: string[]): LiveSocket {
  if (typeof WebSocket === "function") return new WebSocket(url, protocols);
  throw new TypeError("This runtime has no WebSocket. Pass `webSocket` to createClient; for Node 20 use undici's.");
}

function isAfter({ seq, n }: EntryPosition, last: EntryPosition): boolean {
  return seq === last.seq ? n > last.n : seq > last.seq;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}
