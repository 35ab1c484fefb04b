// Journal entries as they are committed, to whoever listens. Hibernating sockets: listening keeps no object awake.
import { LIVE_LISTENERS_MAX } from "#schema/limits/objects.ts";
import { presentEntry } from "#wire/history/present.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";

export type Live = {
  readonly open: (execution: string, exists: boolean) => Response;
  readonly publish: (execution: string, entries: readonly JournalEntry[]) => void;
};

export function openLive(ctx: DurableObjectState): Live {
  return {
    open: (execution, exists) => {
      if (!exists) return new Response("there is no such execution", { status: 404 });
      if (ctx.getWebSockets(execution).length >= LIVE_LISTENERS_MAX)
        return new Response("too many listeners", { status: 503 });
      const [client, server] = Object.values(new WebSocketPair());
      if (!client || !server) return new Response("no socket", { status: 500 });
      ctx.acceptWebSocket(server, [execution]);
      return new Response(null, { status: 101, webSocket: client });
    },
    publish: (execution, entries) => {
      const sockets = ctx.getWebSockets(execution);
      if (sockets.length === 0) return;
      for (const entry of entries) {
        const text = JSON.stringify(presentEntry(entry));
        for (const socket of sockets) {
          try {
            socket.send(text);
          } catch {
            // A listener that has gone learns nothing more; the journal has it all.
          }
        }
      }
    },
  };
}
