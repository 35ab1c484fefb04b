// Shares slots fairly among tenants. Next is the waiting tenant with the fewest items in progress, then the tenant
// whose last turn is longest ago. Priority orders the items of one tenant only.

export type WaitingItem = { readonly tenant: string; readonly priority: number };

type TenantQueue<Item> = {
  readonly tenant: string;
  /** The maximum number of items in progress for the tenant. */
  readonly quota: number;
  /** The number of the tenant's items in progress. */
  readonly inProgress: number;
  /** The number of the tenant's last turn; 0 if it had none. */
  readonly lastTurn: number;
  /** The waiting items, by priority, then by arrival. */
  readonly waiting: readonly Item[];
};

/** The queues of all tenants. `turn`: the number of turns so far. */
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

/** Returns the next item; null if no tenant is waiting, or if all waiting tenants have reached their quota. */
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

/** Counts an item of the tenant as ended. */
export function releaseItem<Item>({ turn, queues }: TenantQueues<Item>, tenant: string): TenantQueues<Item> {
  const released = queues.map((queue) =>
    queue.tenant === tenant ? { ...queue, inProgress: queue.inProgress - 1 } : queue,
  );
  return { turn, queues: released };
}

export function waitingItems<Item>({ queues }: TenantQueues<Item>): readonly Item[] {
  return queues.flatMap(({ waiting }) => waiting);
}
