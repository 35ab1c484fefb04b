// The time of the simulated world: events one after another. All promises that an event settles are processed before
// the next event. It never waits for real time.
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { hashed } from "./chance.ts";
import type { Life } from "./evictable.ts";

export type Timeline = {
  readonly now: () => number;
  readonly at: (moment: number, work: () => void) => void;
  /** Resolves after `ms`, unless `life` has ended by then. */
  readonly sleep: (ms: number, life: Life) => Promise<void>;
  /** Advances the clock; events scheduled in between are then late. */
  readonly jump: (ms: number) => void;
  readonly note: (line: string) => void;
  /** Processes events until none is left before `until`; true if none is left at all. */
  readonly run: (until: number, after: () => void) => Promise<boolean>;
  readonly trace: () => { readonly lines: readonly string[]; readonly hash: number; readonly events: number };
};

type Scheduled = { readonly at: number; readonly work: () => void };

/** A world with this many events is in a loop. */
const EVENTS_MAX = 60_000;

/** Node's setImmediate; the project's types are those of Workers, which have none. */
const soon = (globalThis as unknown as { setImmediate: (work: () => void) => void }).setImmediate;
const promisesWorkedOff = (): Promise<void> => new Promise((resolve) => soon(resolve));

export function openTimeline(begin: number, linesKept: number): Timeline {
  const turns = openTurnQueue<Scheduled>();
  const lines: string[] = [];
  let now = begin;
  let events = 0;
  let hash = hashed("");

  const at = (moment: number, work: () => void): void => turns.put(moment, { at: moment, work });

  return {
    now: () => now,
    at,
    sleep: (ms, life) => new Promise((resolve) => at(now + ms, () => life.alive && resolve())),
    jump: (ms) => {
      now += ms;
    },
    note: (line) => {
      const dated = `+${String(now - begin).padStart(9)} ms  ${line}`;
      hash = hashed(dated, hash);
      lines.push(dated);
      if (lines.length > linesKept * 2) lines.splice(0, linesKept);
    },
    run: async (until, after) => {
      for (let next = turns.takeFirst(); next !== null; next = turns.takeFirst()) {
        if (next.at > until) {
          turns.put(next.at, next);
          return false;
        }
        events += 1;
        if (events > EVENTS_MAX) throw new Error(`more than ${EVENTS_MAX} events: something goes round in a circle`);
        now = Math.max(now, next.at);
        next.work();
        await promisesWorkedOff();
        after();
      }
      return true;
    },
    trace: () => ({ lines: lines.slice(-linesKept), hash, events }),
  };
}
