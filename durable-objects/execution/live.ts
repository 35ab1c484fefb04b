// Live streams: sends journal entries to subscribers as they are committed. Hibernating sockets do not keep the object
// awake. A stream ends when its key is revoked, its time limit is reached, or its execution ends or is deleted.
import {
  LIVE_KEY_CHECK_MS,
  LIVE_KEY_CHECK_WAIT_MS,
  LIVE_SUBSCRIBERS_MAX,
  LIVE_STREAM_MS_MAX,
} from "#schema/limits/live-streams.ts";
import { presentEntry, presentEntryWithoutPayloads } from "#wire/history/present-entry.ts";
import { type ExecutionStatus, isFinalStatus } from "#schema/engine/state.ts";
import { liveEnds, type LiveEnd } from "#schema/live.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { PublishEntries } from "./ports.ts";

export type Live = {
  /** Accepts a subscriber. `status`: the execution's; null if there is no such execution. */
  readonly open: (execution: string, status: ExecutionStatus | null, watcher: Watcher) => Response;
  readonly publish: PublishEntries;
};

export type LivePorts = {
  readonly now: () => number;
  /** Returns the keys in the list that are no longer valid. */
  readonly endedKeys: (keys: readonly string[]) => Promise<readonly string[]>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/**
 * The client that opens a stream. `key`: the id of its API key or session; null for the root key, which only a deployment
 * changes. `until`: when its credential expires, in epoch ms.
 */
type Watcher = { readonly key: string | null; readonly until: number; readonly showsPayloads: boolean };

/**
 * Data of a subscriber, attached to its socket, so that it survives hibernation. `until` and `checkedAt`: epoch ms.
 * `hidesPayloads` is absent if the subscriber may read payloads.
 */
type Subscriber = {
  readonly key: string | null;
  readonly until: number;
  readonly checkedAt: number;
  readonly hidesPayloads?: true;
};

/** The code that a WebSocket reports if it was closed without a code. */
const NO_CODE = 1005;

export function openLive(ctx: DurableObjectState, { now, endedKeys, log }: LivePorts): Live {
  /** The last queued publication; null if none is queued. Entries wait in it while subscribers' keys are checked. */
  let queue: Promise<void> | null = null;

  /** Ends the streams whose time limit is reached, and returns the other streams' sockets. */
  const openSockets = (execution: string): readonly WebSocket[] => {
    const all = ctx.getWebSockets(execution);
    const expired = all.filter((socket) => subscriberOf(socket).until <= now());
    for (const socket of expired) end(socket, "lifetime");
    return expired.length === 0 ? all : all.filter((socket) => !expired.includes(socket));
  };

  const isCheckDue = (socket: WebSocket): boolean => {
    const { key, checkedAt } = subscriberOf(socket);
    return key !== null && checkedAt + LIVE_KEY_CHECK_MS <= now();
  };

  /** Ends the streams whose key is no longer valid. */
  const checkKeys = async (execution: string): Promise<void> => {
    const due = openSockets(execution).filter(isCheckDue);
    const keys = [...new Set(due.flatMap((socket) => subscriberOf(socket).key ?? []))];
    if (keys.length === 0) return;
    // The time is recorded before the check. If the check fails, the stream continues until the next check or its time
    // limit.
    for (const socket of due)
      socket.serializeAttachment({ ...subscriberOf(socket), checkedAt: now() } satisfies Subscriber);
    const noAnswer = new Promise<readonly string[]>((resolve) => setTimeout(resolve, LIVE_KEY_CHECK_WAIT_MS, []));
    const ended = await Promise.race([endedKeys(keys), noAnswer]);
    for (const socket of due) if (ended.includes(subscriberOf(socket).key ?? "")) end(socket, "key");
  };

  const send: PublishEntries = (execution, entries, cause) => {
    const sockets = openSockets(execution);
    if (sockets.length === 0) return;
    for (const entry of entries) {
      const textFor = textsOf(entry);
      for (const socket of sockets) quietly(() => socket.send(textFor(subscriberOf(socket))));
    }
    if (cause !== null) for (const socket of sockets) end(socket, cause);
  };

  return {
    open: (execution, status, watcher) => {
      if (status === null) return new Response("There is no such execution.", { status: 404 });
      if (openSockets(execution).length >= LIVE_SUBSCRIBERS_MAX)
        return new Response("Too many clients are watching this execution.", { status: 503 });
      const [client, server] = Object.values(new WebSocketPair());
      if (!client || !server) return new Response("The engine could not create a WebSocket.", { status: 500 });
      ctx.acceptWebSocket(server, [execution]);
      server.serializeAttachment(newSubscriber(watcher, now()));
      if (isFinalStatus(status)) end(server, "ended");
      return new Response(null, { status: 101, webSocket: client });
    },
    publish: (execution, entries, cause) => {
      const sockets = ctx.getWebSockets(execution);
      if (sockets.length === 0) return;
      if (queue === null && !sockets.some(isCheckDue)) return send(execution, entries, cause);
      const publication = (queue ?? Promise.resolve())
        .then(() => checkKeys(execution))
        .catch((fault: unknown) =>
          log({ level: "warn", event: "listeners_not_checked", execution, message: String(fault) }),
        )
        .then(() => send(execution, entries, cause))
        .finally(() => {
          if (queue === publication) queue = null;
        });
      queue = publication;
    },
  };
}

/**
 * Answers a subscriber's close, because the runtime leaves the close of a hibernating socket to the object. 1005 means
 * that the subscriber gave no code, and no WebSocket may send it.
 */
export function answerClose(socket: WebSocket, code: number): void {
  quietly(() => (code === NO_CODE ? socket.close() : socket.close(code)));
}

/** Presents an entry once for all subscribers, and a second time without payloads only if one must not read them. */
function textsOf(entry: JournalEntry): (subscriber: Subscriber) => string {
  const whole = JSON.stringify(presentEntry(entry));
  let hidden: string | null = null;
  return ({ hidesPayloads }) => {
    if (!hidesPayloads) return whole;
    hidden ??= JSON.stringify(presentEntryWithoutPayloads(entry));
    return hidden;
  };
}

function newSubscriber({ key, until, showsPayloads }: Watcher, now: number): Subscriber {
  const subscriber = { key, until: Math.min(until, now + LIVE_STREAM_MS_MAX), checkedAt: now };
  return showsPayloads ? subscriber : { ...subscriber, hidesPayloads: true };
}

/** A socket without an attachment counts as expired. */
function subscriberOf(socket: WebSocket): Subscriber {
  return (socket.deserializeAttachment() as Subscriber | null) ?? { key: null, until: 0, checkedAt: 0 }; // `open` has attached this value
}

function end(socket: WebSocket, cause: LiveEnd): void {
  const { code, reason } = liveEnds[cause];
  quietly(() => socket.close(code, reason));
}

/** Ignores faults: a disconnected subscriber reads the journal when it reconnects. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // the subscriber has disconnected
  }
}
