// Who goes next where tenants share places: of those who wait the one with the fewest under way, then the one whose
// last turn is longest ago. How urgent something is counts among a tenant's own only.

export type Waiting = { readonly tenant: string; readonly priority: number };

type Line<Item> = {
  readonly tenant: string;
  /** So many at once and no more, whoever else waits. */
  readonly quota: number;
  readonly underWay: number;
  /** 0: it has had none. */
  readonly lastTurn: number;
  /** The most urgent first, and of these the one that came first. */
  readonly waiting: readonly Item[];
};

export type Lines<Item> = { readonly turn: number; readonly lines: readonly Line<Item>[] };

export function lineUp<Item extends Waiting>(items: readonly Item[], quotaOf: (tenant: string) => number): Lines<Item> {
  const tenants = [...new Set(items.map(({ tenant }) => tenant))];
  const lines = tenants.map((tenant): Line<Item> => {
    const waiting = items.filter((each) => each.tenant === tenant).toSorted((a, b) => b.priority - a.priority);
    return { tenant, quota: quotaOf(tenant), underWay: 0, lastTurn: 0, waiting };
  });
  return { turn: 0, lines };
}

/** null: nobody waits, or nobody who waits may have more under way. */
export function serveNext<Item>({ turn, lines }: Lines<Item>): { item: Item; lines: Lines<Item> } | null {
  const [next] = lines
    .filter(({ waiting, underWay, quota }) => waiting.length > 0 && underWay < quota)
    .toSorted((a, b) => a.underWay - b.underWay || a.lastTurn - b.lastTurn);
  const [item, ...waiting] = next?.waiting ?? [];
  if (next === undefined || item === undefined) return null;
  const served = { ...next, underWay: next.underWay + 1, lastTurn: turn + 1, waiting };
  return { item, lines: { turn: turn + 1, lines: lines.map((line) => (line === next ? served : line)) } };
}

/** One of the tenant's is over. */
export function leave<Item>({ turn, lines }: Lines<Item>, tenant: string): Lines<Item> {
  const left = lines.map((line) => (line.tenant === tenant ? { ...line, underWay: line.underWay - 1 } : line));
  return { turn, lines: left };
}

export function stillWaiting<Item>({ lines }: Lines<Item>): readonly Item[] {
  return lines.flatMap(({ waiting }) => waiting);
}
