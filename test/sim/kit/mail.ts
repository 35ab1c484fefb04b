// Messages within a process: a fault delays them, and all are lost when the process goes down.
import type { FaultKind, Faults } from "../faults.ts";
import type { Life } from "./evictable.ts";
import type { Timeline } from "./timeline.ts";

export type Mail = {
  /** The running process. Its pending calls are never answered once it is down. */
  readonly process: () => Life;
  readonly send: (delayMs: number, deliver: (mine: Life) => void) => void;
  /** Ends the process; another process starts. */
  readonly forget: () => void;
};
type Delays = { readonly kind: FaultKind; readonly ms: readonly [low: number, high: number] };

export function openMail(timeline: Timeline, faults: Faults, { kind, ms }: Delays): Mail {
  let process: Life = { alive: true };
  return {
    process: () => process,
    send: (delayMs, deliver) => {
      const mine = process;
      const lateMs = faults.strikes(kind) ? faults.chance.between(...ms) : 0;
      timeline.at(timeline.now() + delayMs + lateMs, () => {
        if (mine.alive) deliver(mine);
      });
    },
    forget: () => {
      process.alive = false;
      process = { alive: true };
    },
  };
}

/** Delays of messages in queues between parts of the engine. */
export const messageDelays: Delays = { kind: "messageDelayed", ms: [1_000, 600_000] };
