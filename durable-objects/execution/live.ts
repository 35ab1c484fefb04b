// Live streams: sends journal entries to subscribers as they are committed. Hibernating sockets: a subscriber does not
// keep the object awake. Every stream is bounded: its key is rechecked at intervals, its duration is limited, and it
// ends with its execution.
import {
  LIVE_KEY_CHECK_MS,
  LIVE_KEY_CHECK_WAIT_MS,
  LIVE_STREAM_MS_MAX,
  LIVE_SUBSCRIBERS_MAX,
} from "#schema/limits/live-streams.ts";
import { presentEntry } from "#wire/history/present-entry.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { liveEnds, type LiveEnd } from "#schema/live.ts";

export type Live = {
  /** `key`: the id of the subscriber's key; null for the root key, which only changes with a deploy. */
  readonly open: (execution: string, exists: boolean, key: string | null) => Response;
  /** `isGone`: the execution and its history are deleted. */
  readonly publish: (execution: string, entries: readonly JournalEntry[], isGone: boolean) => void;
};

export type LivePorts = {
  readonly now: () => number;
  /** Returns the keys that are no longer valid. */
  readonly endedKeys: (keys: readonly string[]) => Promise<readonly string[]>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/** Stored with the socket, so it survives hibernation. */
type Listener = { readonly key: string | null; readonly until: number; readonly checkedAt: number };

export function openLive(ctx: DurableObjectState, { now, endedKeys, log }: LivePorts): Live {
  /** Entries are queued while the subscribers' keys are rechecked. */
  let line: Promise<void> | null = null;

  const of = (execution: string): readonly WebSocket[] => {
    const all = ctx.getWebSockets(execution);
    const late = all.filter((socket) => listenerOf(socket).until <= now());
    for (const socket of late) end(socket, "lifetime");
    return late.length === 0 ? all : all.filter((socket) => !late.includes(socket));
  };

  const isDue = (socket: WebSocket): boolean => {
    const { key, checkedAt } = listenerOf(socket);
    return key !== null && checkedAt + LIVE_KEY_CHECK_MS <= now();
  };

  const check = async (execution: string): Promise<void> => {
    const due = of(execution).filter(isDue);
    const keys = [...new Set(due.flatMap((socket) => listenerOf(socket).key ?? []))];
    if (keys.length === 0) return;
    // Recorded first: if the check fails, subscribers continue until the next one, because their time is limited
    // anyway.
    for (const socket of due)
      socket.serializeAttachment({ ...listenerOf(socket), checkedAt: now() } satisfies Listener);
    const noAnswer = new Promise<readonly string[]>((give) => setTimeout(give, LIVE_KEY_CHECK_WAIT_MS, []));
    const ended = await Promise.race([endedKeys(keys), noAnswer]);
    for (const socket of due) if (ended.includes(listenerOf(socket).key ?? "")) end(socket, "key");
  };

  const send = (execution: string, entries: readonly JournalEntry[], isGone: boolean): void => {
    const sockets = of(execution);
    if (sockets.length === 0) return;
    for (const entry of entries) {
      const text = JSON.stringify(presentEntry(entry));
      for (const socket of sockets) quietly(() => socket.send(text));
    }
    if (isGone) for (const socket of sockets) end(socket, "execution");
  };

  return {
    open: (execution, exists, key) => {
      if (!exists) return new Response("There is no such execution.", { status: 404 });
      if (of(execution).length >= LIVE_SUBSCRIBERS_MAX) return new Response("Too many subscribers.", { status: 503 });
      const [client, server] = Object.values(new WebSocketPair());
      if (!client || !server) return new Response("No WebSocket could be created.", { status: 500 });
      ctx.acceptWebSocket(server, [execution]);
      server.serializeAttachment({ key, until: now() + LIVE_STREAM_MS_MAX, checkedAt: now() } satisfies Listener);
      return new Response(null, { status: 101, webSocket: client });
    },
    publish: (execution, entries, isGone) => {
      const sockets = ctx.getWebSockets(execution);
      if (sockets.length === 0) return;
      if (line === null && !sockets.some(isDue)) return send(execution, entries, isGone);
      const mine = (line ?? Promise.resolve())
        .then(() => check(execution))
        .catch((fault: unknown) =>
          log({ level: "warn", event: "listeners_not_checked", execution, message: String(fault) }),
        )
        .then(() => send(execution, entries, isGone))
        .finally(() => {
          if (line === mine) line = null;
        });
      line = mine;
    },
  };
}

/** A socket of an earlier version has no attachment: its time counts as over. */
function listenerOf(socket: WebSocket): Listener {
  return (socket.deserializeAttachment() as Listener | null) ?? { key: null, until: 0, checkedAt: 0 }; // written by open
}

function end(socket: WebSocket, why: LiveEnd): void {
  const { code, reason } = liveEnds[why];
  quietly(() => socket.close(code, reason));
}

/** A subscriber that is gone receives nothing more; the journal has everything. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It has disconnected.
  }
}
