// File memory: limits the bytes of files that this isolate holds at the same time. A reservation expires, because a
// canceled call never releases its reservation. Waiting calls poll, because in workerd one request cannot wake another.
import {
  FILE_MEMORY_BYTES,
  FILE_MEMORY_LOST_MS,
  FILE_MEMORY_POLL_MS,
  FILE_MEMORY_TENANT_BYTES,
} from "#schema/limits/outgoing/files.ts";

type Share = { readonly tenant: string; readonly bytes: number };
type WaitingRequest = Share & { polledAt: number };
type HeldMemory = { readonly tenant: string; bytes: number; readonly expiresAt: number };

export type FileMemory = {
  /**
   * Waits for a reservation, which expires after `expiresInMs`. Returns null if the signal aborts first; the caller
   * then loads no file.
   */
  readonly reserve: (
    share: Share & { readonly expiresInMs: number },
    call: { readonly now: () => number; readonly signal: AbortSignal },
  ) => Promise<FileReservation | null>;
};
export type FileReservation = {
  /** Reduces the reservation to the files' actual size, if the size was unknown when the memory was reserved. */
  readonly shrink: (bytes: number) => void;
  readonly release: () => void;
};

export function fileMemory(wait: (ms: number) => Promise<void> = sleep): FileMemory {
  const held = new Set<HeldMemory>();
  const queue = new Set<WaitingRequest>();

  const bytesHeld = () => [...held].reduce((sum, { bytes }) => sum + bytes, 0);
  const bytesHeldBy = (tenant: string) =>
    [...held].reduce((sum, each) => sum + (each.tenant === tenant ? each.bytes : 0), 0);
  const isWithinShare = ({ tenant, bytes }: Share) => bytes + bytesHeldBy(tenant) <= FILE_MEMORY_TENANT_BYTES;
  /** Returns true if the request is the first one in the queue that its tenant's share allows. */
  const isNext = (request: WaitingRequest) => {
    for (const other of queue) if (other.polledAt + FILE_MEMORY_LOST_MS < request.polledAt) queue.delete(other);
    return [...queue].find(isWithinShare) === request;
  };
  const canReserve = (request: WaitingRequest) => {
    for (const each of held) if (each.expiresAt <= request.polledAt) held.delete(each);
    return isNext(request) && request.bytes + bytesHeld() <= FILE_MEMORY_BYTES;
  };

  return {
    reserve: async ({ tenant, bytes, expiresInMs }, { now, signal }) => {
      const request: WaitingRequest = { tenant, bytes, polledAt: now() };
      queue.add(request);
      while (!canReserve(request)) {
        await wait(FILE_MEMORY_POLL_MS);
        if (signal.aborted) {
          queue.delete(request);
          return null;
        }
        request.polledAt = now();
        // Adds this request again, because another request may have removed it when its last poll was too long ago.
        queue.add(request);
      }
      queue.delete(request);
      const reserved: HeldMemory = { tenant, bytes, expiresAt: now() + expiresInMs };
      held.add(reserved);
      return {
        shrink: (bytesNeeded) => {
          reserved.bytes = Math.min(reserved.bytes, bytesNeeded);
        },
        release: () => void held.delete(reserved),
      };
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
