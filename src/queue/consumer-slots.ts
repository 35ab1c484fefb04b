// Consumer slots: distributes the slots of a consumer among the tenants of a batch. An item gets a slot only if the
// batch has enough time left for it. The slot is free again when the item is done.
import { fitsBatch, mayStartMessages } from "#policy/gates/batch-time.ts";
import { releaseItem, queueByTenant, serveNext, waitingItems, type WaitingItem } from "#policy/gates/fair-share.ts";
import {
  BATCH_BEGINS_MS,
  CLAIM_GROUP_MS,
  CONSUMER_SLOTS,
  CONSUMER_SLOTS_PER_TENANT,
} from "#schema/limits/queues/consumers.ts";
import { pause, type Later } from "./timeouts.ts";

/**
 * An item that needs a slot. `timeoutMs`: the item's maximum duration; absent for the usual maximum. Items of one cell
 * should begin together, because they share one claim call.
 */
export type Seatable = WaitingItem & { readonly cell: string; readonly timeoutMs?: number | undefined };

export type ConsumerSlots<Item> = {
  /** Assigns slots to the items as slots become free. Resolves with the items that could not begin in time. */
  readonly seat: (begin: (items: readonly Item[]) => void) => Promise<readonly Item[]>;
  /** Frees the item's slot. A second call for the same item has no effect. */
  readonly leave: (item: Item) => void;
};

type Parts = { readonly now: () => number; readonly later: Later };

export function openConsumerSlots<Item extends Seatable>(
  items: readonly Item[],
  { now, later }: Parts,
): ConsumerSlots<Item> {
  const startedAt = now();
  const seated = new Set<Item>();
  let queues = queueByTenant(items, () => CONSUMER_SLOTS_PER_TENANT);
  let changed = (): void => {};

  const next = (): Item | null => {
    const served = seated.size < CONSUMER_SLOTS && mayStartMessages(startedAt, now()) ? serveNext(queues) : null;
    if (served) ({ queues } = served);
    return served?.item ?? null;
  };

  /** Returns the items that can begin now. Items without enough time are added to `late`. */
  const fill = (late: Item[]): readonly Item[] => {
    const begun: Item[] = [];
    for (let item = next(); item !== null; item = next()) {
      if (fitsBatch(startedAt, now(), item.timeoutMs)) {
        seated.add(item);
        begun.push(item);
      } else {
        late.push(item);
        queues = releaseItem(queues, item.tenant);
      }
    }
    return begun;
  };

  /**
   * Returns true if the next cell has more waiting items than there are free slots. The caller then waits for more free
   * slots, so that these items share one claim call.
   */
  const wantsCompany = (waiting: readonly Item[]): boolean => {
    const cell = serveNext(queues)?.item.cell;
    return waiting.filter((each) => each.cell === cell).length > CONSUMER_SLOTS - seated.size;
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
        const waiting = waitingItems(queues);
        const isOver = waiting.length === 0 || seated.size === 0 || !mayStartMessages(startedAt, now());
        if (isOver) return [...late, ...waiting];
        await untilChanged();
        if (wantsCompany(waiting)) await pause(later, CLAIM_GROUP_MS);
      }
    },
    leave: (item) => {
      if (!seated.delete(item)) return;
      queues = releaseItem(queues, item.tenant);
      changed();
    },
  };
}
