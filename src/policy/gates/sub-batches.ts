// Splits a batch into sub-batches. Items of one cell stay together unless they exceed 1.5 times the size of a
// sub-batch. The items of each tenant are spread evenly, so that a tenant with many items does not delay another.

export type SubBatchItem = { readonly tenant: string; readonly cell: string };

/** Returns `count` sub-batches, some of which may be empty. Each item is in exactly one of them. */
export function splitIntoSubBatches<Item extends SubBatchItem>(
  items: readonly Item[],
  count: number,
): readonly (readonly Item[])[] {
  const itemsPerBatch = items.length / count;
  const batches = Array.from({ length: count }, () => ({ items: [] as Item[], ofTenant: 0 }));
  for (const tenantItems of groupBy(items, ({ tenant }) => tenant)) {
    for (const batch of batches) batch.ofTenant = 0;
    for (const cellItems of groupBy(tenantItems, ({ cell }) => cell)) {
      for (const piece of splitEvenly(cellItems, itemsPerBatch)) {
        const smallest = batches.reduce((best, batch) => (isSmaller(batch, best) ? batch : best));
        smallest.items.push(...piece);
        smallest.ofTenant += piece.length;
      }
    }
  }
  return batches.map((batch) => batch.items);
}

/** `ofTenant`: how many items it has of the tenant whose items are being distributed now. */
type SubBatch = { readonly items: readonly unknown[]; readonly ofTenant: number };

/** Compares two sub-batches by the number of the present tenant's items, and if it is equal, by all items. */
function isSmaller(one: SubBatch, other: SubBatch): boolean {
  if (one.ofTenant !== other.ofTenant) return one.ofTenant < other.ofTenant;
  return one.items.length < other.items.length;
}

/** Splits the items of a cell into pieces of equal size, of about `itemsPerBatch` items. */
function splitEvenly<Item>(items: readonly Item[], itemsPerBatch: number): readonly (readonly Item[])[] {
  const pieces = Math.min(items.length, Math.max(1, Math.round(items.length / itemsPerBatch)));
  const startOf = (piece: number): number => Math.ceil((piece * items.length) / pieces);
  return Array.from({ length: pieces }, (_, piece) => items.slice(startOf(piece), startOf(piece + 1)));
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
  const names = [...new Set(items.map(nameOf))];
  return names.map((name) => items.filter((item) => nameOf(item) === name));
}
