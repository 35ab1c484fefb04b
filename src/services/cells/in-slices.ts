// Slices of work: performs many calls, a limited number of them at a time.

/** Calls `work` for each item, with at most `size` calls at a time. */
export async function inSlices<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work));
}
