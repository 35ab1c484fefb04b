// Shares slots fairly among tenants. Next is the waiting tenant with the fewest items in progress, then the tenant
// whose last turn is longest ago. Priority orders the items of one tenant only.

export type Waiting = { readonly tenant: string; readonly priority: number };

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
export type Lines<Item> = { readonly turn: number; readonly lines: readonly TenantQueue<Item>[] };

/** Groups waiting items by tenant. `quotaOf`: the maximum number of items in progress for a tenant. */
export function lineUp<Item extends Waiting>(items: readonly Item[], quotaOf: (tenant: string) => number): Lines<Item> {
  const tenants = [...new Set(items.map(({ tenant }) => tenant))];
  const lines = tenants.map((tenant): TenantQueue<Item> => {
    const waiting = items.filter((each) => each.tenant === tenant).toSorted((a, b) => b.priority - a.priority);
    return { tenant, quota: quotaOf(tenant), inProgress: 0, lastTurn: 0, waiting };
  });
  return { turn: 0, lines };
}

/** Returns the next item; null if no tenant is waiting, or if all waiting tenants have reached their quota. */
export function serveNext<Item>({ turn, lines }: Lines<Item>): { item: Item; lines: Lines<Item> } | null {
  const [next] = lines
    .filter(({ waiting, inProgress, quota }) => waiting.length > 0 && inProgress < quota)
    .toSorted((a, b) => a.inProgress - b.inProgress || a.lastTurn - b.lastTurn);
  const [item, ...waiting] = next?.waiting ?? [];
  if (next === undefined || item === undefined) return null;
  const served = { ...next, inProgress: next.inProgress + 1, lastTurn: turn + 1, waiting };
  return { item, lines: { turn: turn + 1, lines: lines.map((line) => (line === next ? served : line)) } };
}

/** Counts an item of the tenant as ended. */
export function releaseItem<Item>({ turn, lines }: Lines<Item>, tenant: string): Lines<Item> {
  const released = lines.map((line) => (line.tenant === tenant ? { ...line, inProgress: line.inProgress - 1 } : line));
  return { turn, lines: released };
}

export function stillWaiting<Item>({ lines }: Lines<Item>): readonly Item[] {
  return lines.flatMap(({ waiting }) => waiting);
}
