// Journal entries as they are committed, to whoever listens. Hibernating sockets: listening keeps no object awake. Nobody
// listens for ever: a listener's key is asked after now and then, its time is bounded, and it ends with its execution.
import { LIVE_CHECK_MS, LIVE_CHECK_WAIT_MS, LIVE_LISTENERS_MAX, LIVE_MS_MAX } from "#schema/limits/objects.ts";
import { presentEntry } from "#wire/history/present-entry.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { liveEnds, type LiveEnd } from "#schema/live.ts";

export type Live = {
  /** `key`: the id of the listener's key; null for the root key, which ends with a deploy. */
  readonly open: (execution: string, exists: boolean, key: string | null) => Response;
  /** `isGone`: the execution and its history are, too. */
  readonly publish: (execution: string, entries: readonly JournalEntry[], isGone: boolean) => void;
};

export type LivePorts = {
  readonly now: () => number;
  /** Which of these keys no longer let anybody in. */
  readonly endedKeys: (keys: readonly string[]) => Promise<readonly string[]>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/** Kept with the socket, over the object's sleep. */
type Listener = { readonly key: string | null; readonly until: number; readonly checkedAt: number };

export function openLive(ctx: DurableObjectState, { now, endedKeys, log }: LivePorts): Live {
  /** Entries wait in line behind the question whether their listeners' keys still hold. */
  let line: Promise<void> | null = null;

  const of = (execution: string): readonly WebSocket[] => {
    const all = ctx.getWebSockets(execution);
    const late = all.filter((socket) => listenerOf(socket).until <= now());
    for (const socket of late) end(socket, "lifetime");
    return late.length === 0 ? all : all.filter((socket) => !late.includes(socket));
  };

  const isDue = (socket: WebSocket): boolean => {
    const { key, checkedAt } = listenerOf(socket);
    return key !== null && checkedAt + LIVE_CHECK_MS <= now();
  };

  const check = async (execution: string): Promise<void> => {
    const due = of(execution).filter(isDue);
    const keys = [...new Set(due.flatMap((socket) => listenerOf(socket).key ?? []))];
    if (keys.length === 0) return;
    // Noted first: where nobody can say, they go on listening until the next time, for their time is bounded all the same.
    for (const socket of due)
      socket.serializeAttachment({ ...listenerOf(socket), checkedAt: now() } satisfies Listener);
    const noAnswer = new Promise<readonly string[]>((give) => setTimeout(give, LIVE_CHECK_WAIT_MS, []));
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
      if (!exists) return new Response("there is no such execution", { status: 404 });
      if (of(execution).length >= LIVE_LISTENERS_MAX) return new Response("too many listeners", { status: 503 });
      const [client, server] = Object.values(new WebSocketPair());
      if (!client || !server) return new Response("no socket", { status: 500 });
      ctx.acceptWebSocket(server, [execution]);
      server.serializeAttachment({ key, until: now() + LIVE_MS_MAX, checkedAt: now() } satisfies Listener);
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

/** One of an earlier version has nothing with it: it is taken to have had its time. */
function listenerOf(socket: WebSocket): Listener {
  return (socket.deserializeAttachment() as Listener | null) ?? { key: null, until: 0, checkedAt: 0 }; // written by open
}

function end(socket: WebSocket, why: LiveEnd): void {
  const { code, reason } = liveEnds[why];
  quietly(() => socket.close(code, reason));
}

/** A listener that has gone learns nothing more; the journal has it all. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It has hung up.
  }
}
