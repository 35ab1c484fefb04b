// Finds the new and changed items of a page, and gives each the id under which it is delivered.
import type { UndeliveredItem, PollPage, PollCycle, PollSeen, PollState } from "#schema/inbound/polling.ts";
import { POLL_SEEN_MAX } from "#schema/limits/inbound/polling.ts";

export type NewItems = {
  readonly held: readonly UndeliveredItem[];
  readonly seen: readonly (PollSeen & { readonly id: string })[];
  /** True if every item of the page was already there in an earlier poll cycle, and is unchanged. */
  readonly isAllKnown: boolean;
  readonly base: number;
};
/**
 * More than the number of items ever counted, so that ranks of different cycles do not overlap. The oldest item has the
 * lowest rank. A restarted cycle reads newer items above the items that it already holds, and older items below.
 */
const RANKS_PER_BASE = 1_000_000_000;

/** Compares the items of a page with the items seen earlier. `known`: the seen items with the ids of this page. */
export function newItemsOf(
  state: PollState,
  { base: firstBase }: Pick<PollCycle, "base">,
  page: PollPage,
  known: ReadonlyMap<string, PollSeen>,
  now: number,
): NewItems {
  const { terms, cyclesCompleted: cycle } = state;
  let base = firstBase;
  const held: UndeliveredItem[] = [];
  const seen = new Map<string, PollSeen & { readonly id: string }>();
  let isAllKnown = page.items.length > 0;
  for (const { id, hash, body, trouble } of page.items) {
    const seenBefore = seen.get(id) ?? known.get(id);
    if (seenBefore === undefined || seenBefore.cycle >= cycle) isAllKnown = false;
    if (seenBefore?.cycle === cycle) base = Math.min(base, seenBefore.base);
    const isKnown = seenBefore !== undefined && (terms.change === "ids" || seenBefore.hash === hash);
    const n = state.counter + held.length + 1;
    if (isKnown) {
      // An id must stay stored while the provider still lists its item. Its row is written again only after many other
      // items were seen, to save writes.
      if (!seen.has(id) && seenBefore.cycle < cycle && seenBefore.n < state.counter - POLL_SEEN_MAX / 2)
        seen.set(id, { ...seenBefore, id, n: state.counter });
      continue;
    }
    isAllKnown = false;
    const version = (seenBefore?.version ?? 0) + 1;
    seen.set(id, { id, hash, version, cycle, base, n });
    held.push({
      n,
      cycle,
      rank: terms.order === "oldest_first" ? n : base * RANKS_PER_BASE - n,
      body,
      foundAt: now,
      deliveryId: terms.change === "ids" ? id : `${id}@${terms.epoch}.${version}`,
      ...(trouble === undefined ? {} : { trouble }),
    });
  }
  return { held, seen: [...seen.values()], isAllKnown, base };
}
