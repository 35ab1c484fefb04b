// Wake heap: the earliest wake among a cell's executions. A cell may hold very many sleeping ones, and every commit
// queries it: a heap answers without visiting all.

type Wake = { readonly at: number; readonly execution: string };
type Index = ReadonlyMap<string, { readonly wakeAt: number | null }>;

/** Outdated entries stay until they reach the top, or until they outnumber the others by this factor. */
const STALE_TIMES = 2;
const REBUILD_MIN = 1_000;

export type WakeHeap = {
  /** The index has a new wake for this execution. */
  readonly moved: (execution: string) => void;
  readonly earliest: () => number | null;
  /** Some of those that are due, the earliest first. They stay in the heap. */
  readonly due: (now: number, count: number) => readonly string[];
};

export function openWakeHeap(index: Index): WakeHeap {
  let heap: Wake[] = [];

  const push = (wake: Wake): void => {
    let at = heap.push(wake) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(wake, heap[up]); up = (at - 1) >> 1) {
      heap[at] = heap[up] ?? wake;
      at = up;
    }
    heap[at] = wake;
  };

  const pop = (): void => {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const child = isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, last)) break;
      heap[at] = child;
      at = child === left ? 2 * at + 1 : 2 * at + 2;
    }
    heap[at] = last;
  };

  const moved = (execution: string): void => {
    const at = index.get(execution)?.wakeAt ?? null;
    if (at !== null) push({ at, execution });
  };

  const rebuild = (): void => {
    heap = [];
    for (const execution of index.keys()) moved(execution);
  };

  const first = (): Wake | null => {
    for (let [wake] = heap; wake; [wake] = heap) {
      if (index.get(wake.execution)?.wakeAt === wake.at) return wake;
      pop();
    }
    return null;
  };

  rebuild();
  return {
    moved: (execution) => {
      moved(execution);
      if (heap.length > REBUILD_MIN && heap.length > STALE_TIMES * index.size) rebuild();
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

/** Of two instants, either of which may be absent. */
export function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
