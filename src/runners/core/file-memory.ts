// File memory: limits the bytes of files that this isolate holds at once. Reservations expire, because a canceled call
// never releases its own. Waiting calls poll, because in workerd one request cannot wake another.
import {
  FILE_MEMORY_BYTES,
  FILE_MEMORY_LOST_MS,
  FILE_MEMORY_POLL_MS,
  FILE_MEMORY_TENANT_BYTES,
} from "#schema/limits/outgoing/files.ts";

type Ask = { readonly tenant: string; readonly bytes: number };
type Waiting = Ask & { lookedAt: number };
type Held = { readonly tenant: string; bytes: number; readonly until: number };

export type FileMemory = {
  /** Waits for a reservation, which expires after `forMs`. Returns null if the signal aborts first. */
  readonly take: (ask: Ask & { readonly forMs: number }, by: Asker) => Promise<FileReservation | null>;
};
type Asker = { readonly now: () => number; readonly signal: AbortSignal };
export type FileReservation = {
  /** Reduces the reservation to the files' size, if that was unknown before. */
  readonly shrink: (bytes: number) => void;
  readonly leave: () => void;
};

export function fileMemory(wait: (ms: number) => Promise<void> = waited): FileMemory {
  const held = new Set<Held>();
  const line = new Set<Waiting>();

  const bytesHeld = (tenant: string | null) =>
    [...held].reduce((sum, each) => sum + (tenant === null || each.tenant === tenant ? each.bytes : 0), 0);
  const isWithinShare = ({ tenant, bytes }: Ask) => bytes + bytesHeld(tenant) <= FILE_MEMORY_TENANT_BYTES;
  /**
   * Returns whether the request is the first one that its tenant's share allows. Requests that stopped polling are
   * removed.
   */
  const isNext = (ask: Waiting) => {
    for (const other of line) if (other.lookedAt + FILE_MEMORY_LOST_MS < ask.lookedAt) line.delete(other);
    return [...line].find(isWithinShare) === ask;
  };
  const mayEnter = (ask: Waiting) => {
    for (const each of held) if (each.until <= ask.lookedAt) held.delete(each);
    return isNext(ask) && ask.bytes + bytesHeld(null) <= FILE_MEMORY_BYTES;
  };

  return {
    take: async ({ tenant, bytes, forMs }, { now, signal }) => {
      const ask: Waiting = { tenant, bytes, lookedAt: now() };
      line.add(ask);
      while (!mayEnter(ask)) {
        await wait(FILE_MEMORY_POLL_MS);
        if (signal.aborted) {
          line.delete(ask);
          return null;
        }
        ask.lookedAt = now();
        line.add(ask);
      }
      line.delete(ask);
      const place: Held = { tenant, bytes, until: now() + forMs };
      held.add(place);
      return {
        shrink: (less) => {
          place.bytes = Math.min(place.bytes, less);
        },
        leave: () => void held.delete(place),
      };
    },
  };
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
