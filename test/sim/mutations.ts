// Mutations of the protocol, each breaking one rule through the ports. The oracle must detect all of them.
import type { Ports } from "#objects/execution/ports.ts";
import type { CellStorage } from "#objects/execution/storage.ts";
import { unpackBody } from "#objects/execution/stored/packing.ts";

export type Mutation = (ports: Ports) => Ports;

export const mutations: { readonly [name: string]: Mutation } = {
  "the alarm is never armed": (ports) => ({ ...ports, setAlarm: () => {} }),

  "the alarm is armed a minute late": (ports) => ({ ...ports, setAlarm: (at) => ports.setAlarm(at + 60_000) }),

  "the store forgets a commit now and then": (ports) => {
    let commits = 0;
    return { ...ports, storage: everyThirdCommit(ports.storage, () => (commits += 1)) };
  },

  "the idempotency key changes with the attempt": (ports) => ({
    ...ports,
    callRunner: (ticket, calledOff) =>
      ports.callRunner({ ...ticket, idempotencyKey: `${ticket.idempotencyKey}/${ticket.attempt}` }, calledOff),
  }),

  "an action goes out once more than it was claimed": (ports) => ({
    ...ports,
    callRunner: (ticket, calledOff) => {
      void ports.callRunner({ ...ticket, attempt: ticket.attempt + 1 }, calledOff).catch(() => {});
      return ports.callRunner(ticket, calledOff);
    },
  }),

  "a success is told as a failure": (ports) => ({
    ...ports,
    callRunner: async (...flight) => {
      const { startedAt, endedAt, ...outcome } = await ports.callRunner(...flight);
      if (!outcome.ok) return { ...outcome, startedAt, endedAt };
      const error = { type: "service_unavailable", message: "made up", retryable: true } as const;
      return { ok: false, error, startedAt, endedAt };
    },
  }),

  "no message ever reaches the queue": (ports) => ({ ...ports, sendActions: async () => {} }),

  "no outbox ever reaches the queue": (ports) => ({ ...ports, sendOutboxes: async () => {} }),

  "a commit that fails for one fails for everybody": (ports) => {
    let isFailing = false;
    const atomically: CellStorage["atomically"] = (work) => {
      if (isFailing) throw new Error("not in this turn any more");
      try {
        ports.storage.atomically(work);
      } catch (fault) {
        isFailing = true;
        queueMicrotask(() => (isFailing = false));
        throw fault;
      }
    };
    return { ...ports, storage: { ...ports.storage, atomically } };
  },

  "a head that cannot be read stops its cell": (ports) => {
    const headBody: CellStorage["headBody"] = (execution) => {
      const body = ports.storage.headBody(execution);
      if (body !== null && unpackBody(body).startsWith('{"state":{"v":99')) throw new Error("it cannot be read");
      return body;
    };
    return { ...ports, storage: { ...ports.storage, headBody } };
  },

  "the catalog is told half of it": (ports) => ({
    ...ports,
    sendProjection: (message) => ports.sendProjection({ ...message, runs: message.runs.slice(1) }),
  }),
};

/** Drops the head of every third commit, although the cell assumes that it was stored. */
function everyThirdCommit(storage: CellStorage, count: () => number): CellStorage {
  let skips = false;
  return {
    ...storage,
    atomically: (work) => {
      skips = count() % 3 === 0;
      storage.atomically(work);
    },
    writeHead: (head, key) => (skips ? 0 : storage.writeHead(head, key)),
  };
}
