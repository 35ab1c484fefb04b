// Decides where a poll cycle ends: at the last page, at known items, or at an error of the provider's paging.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import type { PollCursor, PollPage, PollCycle, PollTerms } from "#schema/inbound/polling.ts";
import { POLL_PAGES_MAX } from "#schema/limits/inbound/polling.ts";
import type { NewItems } from "./new-items.ts";

/**
 * Detects a list without an end. In a circular list a page equals the mark eventually, because the mark moves after 1,
 * 2, 4, 8 pages (Brent's algorithm).
 */
export function pagingTrouble(
  next: PollCursor | null,
  at: PollCursor | null,
  { mark, pages }: PollCycle,
): DeliveryFault | null {
  if (isSameCursor(next, at) || isSameCursor(next, mark)) return cursorFrozen;
  return pages >= POLL_PAGES_MAX ? tooManyPages : null;
}

/**
 * Returns whether the page ends the cycle: it is the last page, or in a newest-first list, all its items are known
 * since an earlier cycle.
 */
export function isLastPage(
  terms: PollTerms,
  at: PollCursor | null,
  page: PollPage,
  { held, isAllKnown }: NewItems,
): boolean {
  if (page.next === null) return true;
  if (terms.order === "newest_first" && isAllKnown) return true;
  if (terms.resume !== "cursor") return false;
  // Feeds return a cursor even at their end, so an empty or unchanged page is the end.
  return page.items.length === 0 || (held.length === 0 && isSameCursor(page.next, at));
}

/**
 * Returns the validators for the next cycle, which belong to its first page; null if that page does not show every
 * change.
 */
export function validatorsFor(
  { order }: PollTerms,
  at: PollCursor | null,
  start: PollCursor | null,
  page: PollPage,
  firstValidators: PollPage["validators"],
): PollPage["validators"] | null {
  if (isSameCursor(at, start)) return page.validators;
  return order === "newest_first" ? firstValidators : null;
}

/** Returns the mark after `pages` pages: it moves to the next page after 1, 2, 4, 8 pages. */
export function nextMark(next: PollCursor | null, { mark }: PollCycle, pages: number): PollCursor | null {
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return isPowerOfTwo ? next : mark;
}

function isSameCursor(one: PollCursor | null, other: PollCursor | null): boolean {
  return one?.at === other?.at && one?.by === other?.by;
}

const cursorFrozen: DeliveryFault = { code: "cursor_frozen", message: "the next page was already read in this poll" };
const tooManyPages: DeliveryFault = {
  code: "too_many_pages",
  message: `the list has more than ${POLL_PAGES_MAX} pages, which is the limit of one poll`,
};
