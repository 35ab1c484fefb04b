// A consumer's places, shared among the tenants of a batch: whoever is seated is begun, and leaves when it is over.
// Nothing is seated for which the batch has no time left.
import { fits, isBeginning } from "#policy/gates/batch-time.ts";
import { leave, lineUp, serveNext, stillWaiting, type Waiting } from "#policy/gates/fair-share.ts";
import { BATCH_BEGINS_MS, CLAIM_GROUP_MS, CONSUMER_PLACES, CONSUMER_PLACES_A_TENANT } from "#schema/limits/queues.ts";
import { pause, type Later } from "./time.ts";

/** `timeoutMs`: how long it may take, where that is longer than most. Those of one cell are better begun together. */
export type Seatable = Waiting & { readonly cell: string; readonly timeoutMs?: number | undefined };

export type Places<Item> = {
  /** Seats one after another in their turns. Resolves with those that there was no time to begin. */
  readonly seat: (begin: (items: readonly Item[]) => void) => Promise<readonly Item[]>;
  /** Its place is free again. Twice is once. */
  readonly leave: (item: Item) => void;
};

type Parts = { readonly now: () => number; readonly later: Later };

export function openPlaces<Item extends Seatable>(items: readonly Item[], { now, later }: Parts): Places<Item> {
  const startedAt = now();
  const seated = new Set<Item>();
  let lines = lineUp(items, () => CONSUMER_PLACES_A_TENANT);
  let changed = (): void => {};

  const next = (): Item | null => {
    const served = seated.size < CONSUMER_PLACES && isBeginning(startedAt, now()) ? serveNext(lines) : null;
    if (served) ({ lines } = served);
    return served?.item ?? null;
  };

  /** All that can be seated now; the others, for which there is too little time, in `late`. */
  const fill = (late: Item[]): readonly Item[] => {
    const begun: Item[] = [];
    for (let item = next(); item !== null; item = next()) {
      if (fits(startedAt, now(), item.timeoutMs)) {
        seated.add(item);
        begun.push(item);
      } else {
        late.push(item);
        lines = leave(lines, item.tenant);
      }
    }
    return begun;
  };

  /** More of the cell that is served next are waiting than there are places for just now. */
  const wantsCompany = (waiting: readonly Item[]): boolean => {
    const cell = serveNext(lines)?.item.cell;
    return waiting.filter((each) => each.cell === cell).length > CONSUMER_PLACES - seated.size;
  };

  const untilChanged = (): Promise<void> =>
    new Promise((resolve) => {
      const callOff = later(Math.max(0, startedAt + BATCH_BEGINS_MS - now()), resolve);
      changed = () => (callOff(), resolve());
    });

  return {
    seat: async (begin) => {
      const late: Item[] = [];
      for (;;) {
        const begun = fill(late);
        if (begun.length > 0) begin(begun);
        const waiting = stillWaiting(lines);
        const isOver = waiting.length === 0 || seated.size === 0 || !isBeginning(startedAt, now());
        if (isOver) return [...late, ...waiting];
        await untilChanged();
        if (wantsCompany(waiting)) await pause(later, CLAIM_GROUP_MS);
      }
    },
    leave: (item) => {
      if (!seated.delete(item)) return;
      lines = leave(lines, item.tenant);
      changed();
    },
  };
}
