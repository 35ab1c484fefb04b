// The simulated world's time: events in a heap, one after another, each with every promise it settles worked off
// before the next. Nothing here waits for real time.
import { hashed } from "./chance.ts";

/** Something that can die: what it was waiting for is then never answered. */
export type Life = { alive: boolean };

export type Timeline = {
  readonly now: () => number;
  readonly at: (moment: number, work: () => void) => void;
  /** Resolves after `ms`, unless `life` has ended by then. */
  readonly sleep: (ms: number, life: Life) => Promise<void>;
  /** Everything scheduled in between is then late. */
  readonly jump: (ms: number) => void;
  readonly note: (line: string) => void;
  /** Works off events until none is left before `until`; true when none is left at all. */
  readonly run: (until: number, after: () => void) => Promise<boolean>;
  readonly trace: () => { readonly lines: readonly string[]; readonly hash: number; readonly events: number };
};

type Scheduled = { readonly at: number; readonly order: number; readonly work: () => void };

/** A world with this many events is in a loop. */
const EVENTS_MAX = 60_000;

/** Node's own; the project's types are those of Workers, which have none. */
const soon = (globalThis as unknown as { setImmediate: (work: () => void) => void }).setImmediate;
const promisesWorkedOff = (): Promise<void> => new Promise((resolve) => soon(resolve));

export function openTimeline(begin: number, linesKept: number): Timeline {
  const heap: Scheduled[] = [];
  const lines: string[] = [];
  let now = begin;
  let order = 0;
  let events = 0;
  let hash = hashed("");

  const at = (moment: number, work: () => void): void => push(heap, { at: moment, order: order++, work });

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
      for (let next = heap[0]; next && next.at <= until; next = heap[0]) {
        pop(heap);
        events += 1;
        if (events > EVENTS_MAX) throw new Error(`more than ${EVENTS_MAX} events: something goes round in a circle`);
        now = Math.max(now, next.at);
        next.work();
        await promisesWorkedOff();
        after();
      }
      return heap.length === 0;
    },
    trace: () => ({ lines: lines.slice(-linesKept), hash, events }),
  };
}

function isBefore(a: Scheduled | undefined, b: Scheduled | undefined): boolean {
  if (!a || !b) return a !== undefined;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Scheduled[], item: Scheduled): void {
  let place = heap.push(item) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(item, heap[parent])) break;
    heap[place] = heap[parent] as Scheduled; // a parent's place is always taken
    place = parent;
  }
  heap[place] = item;
}

function pop(heap: Scheduled[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let child = place * 2 + 1;
    if (child >= heap.length) break;
    if (isBefore(heap[child + 1], heap[child])) child += 1;
    if (!isBefore(heap[child], last)) break;
    heap[place] = heap[child] as Scheduled; // within the heap, checked above
    place = child;
  }
  heap[place] = last;
}
