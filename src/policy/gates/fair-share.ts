// Shares slots fairly among tenants. The next slot goes to the waiting tenant with the fewest items in progress. If
// several have as few, it goes to the one whose last turn was earliest. Priority only orders the items of one tenant.

export type WaitingItem = { readonly tenant: string; readonly priority: number };

type TenantQueue<Item> = {
  readonly tenant: string;
  /** The maximum number of the tenant's items in progress. */
  readonly quota: number;
  /** The number of the tenant's items in progress. */
  readonly inProgress: number;
  /** The number of the tenant's last turn; 0 before its first turn. */
  readonly lastTurn: number;
  /** The waiting items, by priority, then by arrival. */
  readonly waiting: readonly Item[];
};

/** The queues of all tenants. `turn`: the number of turns that have been given so far. */
export type TenantQueues<Item> = { readonly turn: number; readonly queues: readonly TenantQueue<Item>[] };

/** Groups waiting items by tenant. `quotaOf`: the maximum number of items in progress for a tenant. */
export function queueByTenant<Item extends WaitingItem>(
  items: readonly Item[],
  quotaOf: (tenant: string) => number,
): TenantQueues<Item> {
  const tenants = [...new Set(items.map(({ tenant }) => tenant))];
  const queues = tenants.map((tenant): TenantQueue<Item> => {
    const waiting = items.filter((each) => each.tenant === tenant).toSorted((a, b) => b.priority - a.priority);
    return { tenant, quota: quotaOf(tenant), inProgress: 0, lastTurn: 0, waiting };
  });
  return { turn: 0, queues };
}

/** Returns the next item. null if no tenant has a waiting item, or if every tenant with one has reached its quota. */
export function serveNext<Item>({
  turn,
  queues,
}: TenantQueues<Item>): { item: Item; queues: TenantQueues<Item> } | null {
  const [next] = queues
    .filter(({ waiting, inProgress, quota }) => waiting.length > 0 && inProgress < quota)
    .toSorted((a, b) => a.inProgress - b.inProgress || a.lastTurn - b.lastTurn);
  const [item, ...waiting] = next?.waiting ?? [];
  if (next === undefined || item === undefined) return null;
  const served = { ...next, inProgress: next.inProgress + 1, lastTurn: turn + 1, waiting };
  return { item, queues: { turn: turn + 1, queues: queues.map((queue) => (queue === next ? served : queue)) } };
}

/** Records that an item of the tenant is no longer in progress. */
export function releaseItem<Item>({ turn, queues }: TenantQueues<Item>, tenant: string): TenantQueues<Item> {
  const released = queues.map((queue) =>
    queue.tenant === tenant ? { ...queue, inProgress: queue.inProgress - 1 } : queue,
  );
  return { turn, queues: released };
}

export function waitingItems<Item>({ queues }: TenantQueues<Item>): readonly Item[] {
  return queues.flatMap(({ waiting }) => waiting);
}
