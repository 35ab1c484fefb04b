// Which items of a page are new, or have changed, and under which id each is delivered.
import type { PollHeld, PollPage, PollRound, PollSeen, PollState } from "#schema/inbound/polling.ts";
import { POLL_SEEN_MAX } from "#schema/limits/polling.ts";

export type Fresh = {
  readonly held: readonly PollHeld[];
  readonly seen: readonly (PollSeen & { readonly id: string })[];
  /** All of it has been known since an earlier round, as it is. */
  readonly isGround: boolean;
  readonly base: number;
};
/**
 * More than are ever counted. The oldest goes first: newest first each is older than the one before, but for a round that
 * began anew. What it finds above those that are held already is newer than all of them, and what it finds below, older.
 */
const APART = 1_000_000_000;

export function freshIn(
  state: PollState,
  { base: from }: Pick<PollRound, "base">,
  page: PollPage,
  known: ReadonlyMap<string, PollSeen>,
  now: number,
): Fresh {
  const { terms, rounds: round } = state;
  let base = from;
  const held: PollHeld[] = [];
  const seen = new Map<string, PollSeen & { readonly id: string }>();
  let isGround = page.items.length > 0;
  for (const { id, hash, body, trouble } of page.items) {
    const before = seen.get(id) ?? known.get(id);
    if (before === undefined || before.round >= round) isGround = false;
    if (before?.round === round) base = Math.min(base, before.base);
    const isKnown = before !== undefined && (terms.change === "ids" || before.hash === hash);
    const n = state.counter + held.length + 1;
    if (isKnown) {
      // Ids that are met are kept longer than others, and only now and then written for it.
      if (!seen.has(id) && before.round < round && before.n < state.counter - POLL_SEEN_MAX / 2)
        seen.set(id, { ...before, id, n: state.counter });
      continue;
    }
    isGround = false;
    const version = (before?.version ?? 0) + 1;
    seen.set(id, { id, hash, version, round, base, n });
    held.push({
      n,
      round,
      rank: terms.order === "oldest_first" ? n : base * APART - n,
      body,
      foundAt: now,
      deliveryId: terms.change === "ids" ? id : `${id}@${terms.epoch}.${version}`,
      ...(trouble === undefined ? {} : { trouble }),
    });
  }
  return { held, seen: [...seen.values()], isGround, base };
}
