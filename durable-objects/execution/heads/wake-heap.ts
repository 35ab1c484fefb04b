// Wake heap: finds the earliest wakes of a cell's executions without visiting all of them. Each commit needs the
// earliest wake, and a cell may have very many sleeping executions.

type Wake = { readonly at: number; readonly execution: string };
/** The current wakes by execution. An entry of the heap with a different wake is outdated. */
type Index = ReadonlyMap<string, { readonly wakeAt: number | null }>;

/** An outdated entry stays until it is at the top. The heap is rebuilt when it has this many entries per execution. */
const ENTRIES_PER_EXECUTION_MAX = 2;
/** A smaller heap is never rebuilt. */
const REBUILD_MIN = 1_000;

export type WakeHeap = {
  /** Called after the index has stored a new wake for the execution. */
  readonly wakeChanged: (execution: string) => void;
  readonly earliest: () => number | null;
  /** Returns the executions that are due, the earliest first, at most `count`. Their entries stay in the heap. */
  readonly due: (now: number, count: number) => readonly string[];
};

export function openWakeHeap(wakes: Index): WakeHeap {
  let heap: Wake[] = [];

  const push = (wake: Wake): void => {
    let index = heap.push(wake) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && isBefore(wake, heap[parent]); parent = (index - 1) >> 1) {
      heap[index] = heap[parent] ?? wake;
      index = parent;
    }
    heap[index] = wake;
  };

  const pop = (): void => {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const child = isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, last)) break;
      heap[index] = child;
      index = child === left ? 2 * index + 1 : 2 * index + 2;
    }
    heap[index] = last;
  };

  const addWake = (execution: string): void => {
    const at = wakes.get(execution)?.wakeAt ?? null;
    if (at !== null) push({ at, execution });
  };

  const rebuild = (): void => {
    heap = [];
    for (const execution of wakes.keys()) addWake(execution);
  };

  /** Removes outdated entries from the top, and returns the earliest current wake. */
  const first = (): Wake | null => {
    for (let [wake] = heap; wake; [wake] = heap) {
      if (wakes.get(wake.execution)?.wakeAt === wake.at) return wake;
      pop();
    }
    return null;
  };

  rebuild();
  return {
    wakeChanged: (execution) => {
      addWake(execution);
      if (heap.length > REBUILD_MIN && heap.length > ENTRIES_PER_EXECUTION_MAX * wakes.size) rebuild();
    },
    earliest: () => first()?.at ?? null,
    due: (now, count) => {
      const due = new Map<string, Wake>();
      for (let wake = first(); wake !== null && wake.at <= now && due.size < count; wake = first()) {
        due.set(wake.execution, wake);
        pop();
      }
      for (const wake of due.values()) push(wake);
      return [...due.keys()];
    },
  };
}

function isBefore(a: Wake | undefined, b: Wake | undefined): boolean {
  return a !== undefined && (b === undefined || a.at < b.at);
}

/** Returns the earlier of two instants; null if both are null. */
export function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
