// Splits a batch into sub-batches. Items of one cell stay together, unless they exceed 1.5 times the size of a
// sub-batch. Each tenant's items are spread evenly, so that many items of one tenant delay no other tenant.

export type SubBatchItem = { readonly tenant: string; readonly cell: string };

/** Returns `count` sub-batches; each item is in one of them. A sub-batch may be empty. */
export function dealItems<Item extends SubBatchItem>(
  items: readonly Item[],
  count: number,
): readonly (readonly Item[])[] {
  const part = items.length / count;
  const shares = Array.from({ length: count }, () => ({ items: [] as Item[], ofTenant: 0 }));
  for (const theirs of alike(items, ({ tenant }) => tenant)) {
    for (const share of shares) share.ofTenant = 0;
    for (const members of alike(theirs, ({ cell }) => cell)) {
      for (const piece of splitEvenly(members, part)) {
        const least = shares.reduce((best, share) => (isBefore(share, best) ? share : best));
        least.items.push(...piece);
        least.ofTenant += piece.length;
      }
    }
  }
  return shares.map((share) => share.items);
}

type Share = { readonly items: readonly unknown[]; readonly ofTenant: number };

function isBefore(one: Share, other: Share): boolean {
  if (one.ofTenant !== other.ofTenant) return one.ofTenant < other.ofTenant;
  return one.items.length < other.items.length;
}

function splitEvenly<Item>(members: readonly Item[], part: number): readonly (readonly Item[])[] {
  const pieces = Math.min(members.length, Math.max(1, Math.round(members.length / part)));
  const startOf = (piece: number): number => Math.ceil((piece * members.length) / pieces);
  return Array.from({ length: pieces }, (_, piece) => members.slice(startOf(piece), startOf(piece + 1)));
}

function alike<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
  const names = [...new Set(items.map(nameOf))];
  return names.map((name) => items.filter((item) => nameOf(item) === name));
}
