// Steps a poller: an input gives the new state, the items to deliver and the ids that were seen. Pure: the current time
// is an argument. A poll cycle reads the provider's list from its first page to its last; each page is one request. One
// step stores a page's items together with the position of the next page. A crash therefore neither repeats nor loses
// an item.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import {
  POLL_VERSION,
  type PollAnswer,
  type PollRequest,
  type PollCursor,
  type UndeliveredItem,
  type PollPage,
  type PollSeen,
  type PollState,
  type PollTerms,
} from "#schema/inbound/polling.ts";
import {
  POLL_AGAIN_MS,
  POLL_BACKLOG_BYTES_MAX,
  POLL_BACKLOG_MAX,
  POLL_BACKOFF_MS,
  POLL_BASELINE_ITEMS,
  POLL_LIST_ITEMS_MAX,
  POLL_RETRY_AFTER_MS_MAX,
  POLL_SUSPENDED_CHECK_MS,
} from "#schema/limits/inbound/polling.ts";
import { newItemsOf } from "./new-items.ts";
import { isLastPage, nextMark, pagingTrouble, validatorsFor } from "./paging.ts";

export type PollInput =
  /** The settings of the poller, which may have changed. */
  | { readonly kind: "terms"; readonly terms: PollTerms }
  /** A client requests that the next page is read now. */
  | { readonly kind: "now" }
  /** The answer to the request `ask`. `known`: the items of the page that were seen before. */
  | { readonly kind: "answer"; readonly ask: PollRequest; readonly answer: PollAnswer; readonly known: SeenItems };
/** Items that were seen before, by id. */
export type SeenItems = ReadonlyMap<string, PollSeen>;

/** The result of a step. `held`: new items, which are stored until they are delivered. `seen`: ids to store. */
export type PollStep = {
  readonly state: PollState;
  readonly held: readonly UndeliveredItem[];
  readonly seen: readonly (PollSeen & { readonly id: string })[];
  /** True if the poller now reads another list. All stored items and ids must then be deleted. */
  readonly isReset: boolean;
};

/** The number and size of the deliveries and held items that the trigger's object stores. */
export type Backlog = { readonly count: number; readonly bytes: number };

/** Returns the state of a new poller. Its first page is requested now. */
export function openPoll(terms: PollTerms, now: number): PollState {
  return {
    v: POLL_VERSION,
    terms,
    seq: 1,
    cyclesCompleted: 0,
    cyclesStarted: 0,
    hasBaseline: false,
    cycle: null,
    cursor: null,
    validators: null,
    nextAt: terms.isEnabled ? now : null,
    failures: 0,
    trouble: null,
    last: null,
    counter: 0,
  };
}

/** Returns the request for the next page; null if it is not due, or if the backlog is full. */
export function nextRequest(state: PollState, backlog: Backlog, now: number): PollRequest | null {
  const { nextAt, seq, cycle, cursor, validators, terms } = state;
  if (nextAt === null || nextAt > now || isFull(backlog)) return null;
  // The validators belong to the first page of a cycle, so only the request for that page contains them.
  const position = cycle === null ? { cursor, validators } : { cursor: cycle.cursor, validators: null };
  return { seq, generation: terms.generation, ...position };
}

/** Returns whether the backlog is full. No further page is read until some of its items are delivered. */
export function isFull({ count, bytes }: Backlog): boolean {
  return count >= POLL_BACKLOG_MAX || bytes >= POLL_BACKLOG_BYTES_MAX;
}

/**
 * Returns whether the held items of this cycle may be delivered. The oldest item of a newest-first list is on its last
 * page, so the items of such a list wait until their cycle is completed.
 */
export function mayRelease({ terms, cyclesCompleted }: PollState, cycle: number): boolean {
  return terms.order === "oldest_first" || cycle < cyclesCompleted;
}

/** Applies an input. Also records since when requests fail. */
export function stepPoll(before: PollState, input: PollInput, now: number): PollStep {
  const stepped = applyInput(before, input, now);
  const { state } = stepped;
  const troubledAt = state.trouble === null ? null : before.trouble === null ? now : (before.troubledAt ?? null);
  return troubledAt === (state.troubledAt ?? null) ? stepped : { ...stepped, state: { ...state, troubledAt } };
}

function applyInput(state: PollState, input: PollInput, now: number): PollStep {
  switch (input.kind) {
    case "terms":
      return applySettings(state, input.terms, now);
    case "now":
      return stateOnly(
        state.nextAt === null || state.nextAt <= now ? state : { ...state, nextAt: now, seq: state.seq + 1 },
      );
    case "answer":
      return input.ask.seq === state.seq && input.ask.generation === state.terms.generation
        ? applyAnswer(state, input, now)
        : stateOnly(state);
  }
}

function stateOnly(state: PollState): PollStep {
  return { state, held: [], seen: [], isReset: false };
}

/**
 * Applies new settings. An isolate may send settings that it has cached, so settings that are not newer than the stored
 * ones are ignored.
 */
function applySettings(before: PollState, terms: PollTerms, now: number): PollStep {
  const oldTerms = before.terms;
  if (terms.generation <= oldTerms.generation) return stateOnly(before);
  const state = { ...before, terms, seq: before.seq + 1 };
  if (terms.epoch > oldTerms.epoch)
    return { ...stateOnly({ ...openPoll(terms, now), seq: state.seq, last: state.last }), isReset: true };
  const isReadDifferently = terms.reading !== oldTerms.reading;
  const nextAt = nextPollAt(before, terms, isReadDifferently, now);
  if (!isReadDifferently) return stateOnly({ ...state, nextAt });
  // The list is read in another way, so the cycle in progress ends, and a new one starts.
  const cursor = terms.resume === "start" ? null : state.cursor;
  return stateOnly({ ...state, cycle: null, validators: null, failures: 0, trouble: null, cursor, nextAt });
}

/**
 * Returns when the next page is requested under the new settings; null if the poller is disabled. If several polls were
 * missed, one poll replaces them.
 */
function nextPollAt(
  { nextAt, terms: oldTerms, last }: PollState,
  terms: PollTerms,
  isReadDifferently: boolean,
  now: number,
): number | null {
  if (!terms.isEnabled) return null;
  if (nextAt === null || isReadDifferently) return now;
  if (terms.everyMs === oldTerms.everyMs) return nextAt;
  return Math.max(now, Math.min(nextAt, (last?.at ?? now) + terms.everyMs));
}

type Answered = Extract<PollInput, { kind: "answer" }>;

/** Applies the answer to the last request. The caller has compared their step numbers. */
function applyAnswer(before: PollState, { ask, answer, known }: Answered, now: number): PollStep {
  const state = { ...before, seq: before.seq + 1 };
  switch (answer.kind) {
    case "page":
      return applyPage(state, ask.cursor, answer.page, known, now);
    case "unchanged":
      return stateOnly(afterCycle(state, "unchanged", 0, state.cycle?.startedAt ?? now, now));
    case "failed":
      return stateOnly(afterFailure(state, answer.reason, answer, now));
    case "off": {
      const last = { at: now, outcome: "off", found: 0 } as const;
      return stateOnly({ ...state, nextAt: now + POLL_SUSPENDED_CHECK_MS, trouble: answer.reason, last });
    }
    case "gone":
      return stateOnly({ ...state, nextAt: null, trouble: triggerGone });
  }
}

const triggerGone: DeliveryFault = { code: "trigger_gone", message: "the trigger has been deleted" };

/** Applies a page: its new items, and either the end of the cycle or the position of the next page. */
function applyPage(before: PollState, at: PollCursor | null, page: PollPage, known: SeenItems, now: number): PollStep {
  const { terms } = before;
  const state = before.cycle === null ? { ...before, cyclesStarted: before.cyclesStarted + 1 } : before;
  const cycle = before.cycle ?? { ...newCycle, startedAt: now, cursor: at, base: state.cyclesStarted };
  const items = cycle.items + page.items.length;
  if (terms.order === "oldest_first" && terms.resume === "start" && items > POLL_LIST_ITEMS_MAX)
    return stateOnly(afterFailure(state, listTooLong, permanent, now));
  const fresh = newItemsOf(state, cycle, page, known, now);
  // With `from: "now"`, the items of the first cycle are only recorded as seen.
  const isBaseline = !state.hasBaseline && terms.from === "now";
  const effects = { held: isBaseline ? [] : fresh.held, seen: fresh.seen, isReset: false };
  const counted = { ...state, counter: state.counter + fresh.held.length };
  const found = cycle.found + effects.held.length;
  const pages = cycle.pages + 1;
  const firstValidators = cycle.firstValidators ?? page.validators;
  const readSoFar = { ...cycle, pages, items, found, base: fresh.base, firstValidators };
  const outcome = isBaseline ? "baseline" : found > 0 ? "items" : "unchanged";
  const isBaselineRead = isBaseline && terms.order === "newest_first" && items >= POLL_BASELINE_ITEMS;
  if (isBaselineRead || isLastPage(terms, at, page, fresh)) {
    const done = completeCycle(counted, at, page, firstValidators);
    return { ...effects, state: afterCycle(done, outcome, found, cycle.startedAt, now) };
  }
  const trouble = pagingTrouble(page.next, at, readSoFar);
  // The cycle fails, but the items of its pages stay stored. The next cycle starts where this one has started.
  if (trouble !== null) return { ...effects, state: afterFailure(counted, trouble, permanent, now) };
  const mark = nextMark(page.next, cycle, pages);
  const last = { at: now, outcome, found } as const;
  return { ...effects, state: { ...counted, cycle: { ...readSoFar, cursor: page.next, mark }, last } };
}

const newCycle = { pages: 0, items: 0, found: 0, mark: null, firstValidators: null };

/** Ends the cycle in progress at its last page, and sets the position at which the next cycle starts. */
function completeCycle(
  state: PollState,
  at: PollCursor | null,
  page: PollPage,
  firstValidators: PollPage["validators"],
): PollState {
  const { terms } = state;
  const cursor = terms.resume === "cursor" ? (page.next ?? at) : null;
  const validators = validatorsFor(terms, at, cursor, page, firstValidators);
  return { ...state, cyclesCompleted: state.cyclesCompleted + 1, hasBaseline: true, cursor, validators, cycle: null };
}

/** Records the outcome of a completed cycle, and schedules the next one. */
function afterCycle(
  state: PollState,
  outcome: "baseline" | "items" | "unchanged",
  found: number,
  startedAt: number,
  now: number,
): PollState {
  const { everyMs } = state.terms;
  // The interval counts from the start of the cycle. The limits apply if the cycle took longer than the interval, or if
  // the clock was set during the cycle.
  const nextAt = Math.min(Math.max(startedAt + everyMs, now + 1), now + everyMs);
  return { ...state, nextAt, failures: 0, trouble: null, last: { at: now, outcome, found } };
}

type FailureKind = { readonly isFinal: boolean; readonly retryAfterMs: number | null };
const permanent: FailureKind = { isFinal: true, retryAfterMs: null };

/** Records a failure, and delays the next request. A permanent failure ends the cycle; after any other it continues. */
function afterFailure(
  state: PollState,
  trouble: DeliveryFault,
  { isFinal, retryAfterMs }: FailureKind,
  now: number,
): PollState {
  const failures = state.failures + 1;
  const { first, most } = POLL_BACKOFF_MS;
  const backoffMs = Math.min(first * 2 ** Math.min(failures - 1, 20), most);
  const askedMs = Math.min(retryAfterMs ?? 0, POLL_RETRY_AFTER_MS_MAX);
  const gapMs = Math.max(backoffMs, askedMs, isFinal ? state.terms.everyMs : 0);
  // The provider may refuse a page permanently because its cursor has expired. The next cycle starts at its first page.
  const cycle = isFinal ? null : state.cycle;
  return { ...state, failures, trouble, cycle, nextAt: now + gapMs, last: { at: now, outcome: "failed", found: 0 } };
}

/** Requests a page again soon. The isolate that answered the first request may have cached outdated settings. */
export function pollSoon(state: PollState, now: number): PollState {
  return state.nextAt === null ? state : { ...state, seq: state.seq + 1, nextAt: now + POLL_AGAIN_MS };
}

const listTooLong: DeliveryFault = {
  code: "list_too_long",
  message: `the list has more than ${POLL_LIST_ITEMS_MAX} items, which is the limit for comparing whole lists`,
};
