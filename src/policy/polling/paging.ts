// Decides where a poll cycle ends: at the last page, at a page of known items, or at an error in the provider's paging.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import type { PollCursor, PollPage, PollCycle, PollTerms } from "#schema/inbound/polling.ts";
import { POLL_PAGES_MAX } from "#schema/limits/inbound/polling.ts";
import type { NewItems } from "./new-items.ts";

/**
 * Detects a list that never ends. The mark is the cursor of a page, and moves after 1, 2, 4, 8 pages. In a circular
 * list, a later cursor equals the mark at some time (Brent's algorithm).
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
 * Returns whether the page ends the cycle. Either there is no further page, or the list is newest-first and an earlier
 * cycle has seen all items of the page.
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
  // A feed returns a cursor even at its end. An empty page, or an unchanged cursor without new items, therefore means
  // the end.
  return page.items.length === 0 || (held.length === 0 && isSameCursor(page.next, at));
}

/**
 * Returns the validators (ETag, Last-Modified) of the first page for the request of the next cycle. null if a change of
 * the list may leave that page unchanged.
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

/** Returns the mark after `pages` pages. After 1, 2, 4, 8 pages it becomes the cursor of the next page. */
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
