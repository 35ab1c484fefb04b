// Steps a poller: an input gives the new state, the items to deliver and the seen items. Pure: the current time is an
// argument. A cycle reads the list page by page. A page's items and the next position are one step, so that a crash
// neither repeats nor loses an item.
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
  | { readonly kind: "terms"; readonly terms: PollTerms }
  /** A client requests a poll now. */
  | { readonly kind: "now" }
  | { readonly kind: "answer"; readonly ask: PollRequest; readonly answer: PollAnswer; readonly known: SeenItems };
/** The ids of a page that were seen before, with their state. */
export type SeenItems = ReadonlyMap<string, PollSeen>;

/** The result of a step. `held`: items to deliver later. `seen`: ids to store. */
export type PollStep = {
  readonly state: PollState;
  readonly held: readonly UndeliveredItem[];
  readonly seen: readonly (PollSeen & { readonly id: string })[];
  /** True if seen and held items belong to another list and must be deleted. */
  readonly isReset: boolean;
};

/** The deliveries and held items that wait at the trigger, counted by its object. */
export type Backlog = { readonly count: number; readonly bytes: number };

/** Returns the state of a new poller, whose first poll is due now. */
export function openPoll(terms: PollTerms, now: number): PollState {
  return {
    v: POLL_VERSION,
    terms,
    seq: 1,
    rounds: 0,
    starts: 0,
    hasBaseline: false,
    round: null,
    cursor: null,
    validators: null,
    nextAt: terms.isEnabled ? now : null,
    failures: 0,
    trouble: null,
    last: null,
    counter: 0,
  };
}

/** Returns the request to send now; null if no poll is due. */
export function nextRequest(state: PollState, backlog: Backlog, now: number): PollRequest | null {
  const { nextAt, seq, round, cursor, validators, terms } = state;
  if (nextAt === null || nextAt > now || isFull(backlog)) return null;
  const at = round === null ? cursor : round.cursor;
  return { seq, generation: terms.generation, cursor: at, validators: round === null ? validators : null };
}

/** Returns whether the backlog is so large that no further page is read. */
export function isFull({ count, bytes }: Backlog): boolean {
  return count >= POLL_BACKLOG_MAX || bytes >= POLL_BACKLOG_BYTES_MAX;
}

/**
 * Returns whether held items may be delivered. A newest-first list must be read completely before, because its oldest
 * item comes last.
 */
export function mayRelease({ terms, rounds }: PollState, round: number): boolean {
  return terms.order === "oldest_first" || round < rounds;
}

/** Applies an input, and records since when polls fail. */
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
 * Applies new settings. Older settings than the stored ones are ignored, because isolates cache settings for some
 * seconds.
 */
function applySettings(before: PollState, terms: PollTerms, now: number): PollStep {
  const oldTerms = before.terms;
  if (terms.generation <= oldTerms.generation) return stateOnly(before);
  const state = { ...before, terms, seq: before.seq + 1 };
  if (terms.epoch > oldTerms.epoch)
    return { ...stateOnly({ ...openPoll(terms, now), seq: state.seq, last: state.last }), isReset: true };
  const isReadDifferently = terms.reading !== oldTerms.reading;
  const nextAt = nextPollAt(before, terms, isReadDifferently, now);
  // If only the URL changed and the list is read in the same way, the position and the seen items are kept.
  const kept = isReadDifferently ? { round: null, validators: null, failures: 0, trouble: null } : {};
  const cursor = isReadDifferently && terms.resume === "start" ? null : state.cursor;
  return stateOnly({ ...state, ...kept, cursor, nextAt });
}

/**
 * Returns when the next poll is due under the new settings; null if the poller is disabled. Missed polls become one
 * poll.
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

/** Applies the answer to a request, which the step number identifies. */
function applyAnswer(before: PollState, { ask, answer, known }: Answered, now: number): PollStep {
  const state = { ...before, seq: before.seq + 1 };
  switch (answer.kind) {
    case "page":
      return applyPage(state, ask.cursor, answer.page, known, now);
    case "unchanged":
      return stateOnly(afterCycle(state, "unchanged", 0, state.round?.startedAt ?? now, now));
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
  const state = before.round === null ? { ...before, starts: before.starts + 1 } : before;
  const round = before.round ?? { ...newRound, startedAt: now, cursor: at, base: state.starts };
  const items = round.items + page.items.length;
  if (terms.order === "oldest_first" && terms.resume === "start" && items > POLL_LIST_ITEMS_MAX)
    return stateOnly(afterFailure(state, listTooLong, permanent, now));
  const fresh = newItemsOf(state, round, page, known, now);
  const isBaseline = !state.hasBaseline && terms.from === "now";
  const effects = { held: isBaseline ? [] : fresh.held, seen: fresh.seen, isReset: false };
  const counted = { ...state, counter: state.counter + fresh.held.length };
  const found = round.found + effects.held.length;
  const pages = round.pages + 1;
  const firstValidators = round.firstValidators ?? page.validators;
  const readSoFar = { ...round, pages, items, found, base: fresh.base, firstValidators };
  const outcome = isBaseline ? "baseline" : found > 0 ? "items" : "unchanged";
  const isBaselineRead = isBaseline && terms.order === "newest_first" && items >= POLL_BASELINE_ITEMS;
  if (isBaselineRead || isLastPage(terms, at, page, fresh)) {
    const cursor = terms.resume === "cursor" ? (page.next ?? at) : null;
    const validators = validatorsFor(terms, at, cursor, page, firstValidators);
    const done = { ...counted, rounds: state.rounds + 1, hasBaseline: true, cursor, validators, round: null };
    return { ...effects, state: afterCycle(done, outcome, found, round.startedAt, now) };
  }
  const trouble = pagingTrouble(page.next, at, readSoFar);
  // The items of the page are kept; the next cycle starts where this cycle started.
  if (trouble !== null) return { ...effects, state: afterFailure(counted, trouble, permanent, now) };
  const mark = nextMark(page.next, round, pages);
  const last = { at: now, outcome, found } as const;
  return { ...effects, state: { ...counted, round: { ...readSoFar, cursor: page.next, mark }, last } };
}

const newRound = { pages: 0, items: 0, found: 0, mark: null, firstValidators: null };

/** Records a completed cycle and schedules the next one. */
function afterCycle(
  state: PollState,
  outcome: "baseline" | "items" | "unchanged",
  found: number,
  startedAt: number,
  now: number,
): PollState {
  const { everyMs } = state.terms;
  // The interval counts from the cycle's start, unless the clock was changed meanwhile.
  const nextAt = Math.min(Math.max(startedAt + everyMs, now + 1), now + everyMs);
  return { ...state, nextAt, failures: 0, trouble: null, last: { at: now, outcome, found } };
}

type FailureKind = { readonly isFinal: boolean; readonly retryAfterMs: number | null };
const permanent: FailureKind = { isFinal: true, retryAfterMs: null };

/** Records a failure and delays the next request. A permanent failure ends the cycle. */
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
  // A page that is refused permanently may have an expired cursor, so the next cycle starts at the first page.
  const round = isFinal ? null : state.round;
  return { ...state, failures, trouble, round, nextAt: now + gapMs, last: { at: now, outcome: "failed", found: 0 } };
}

/** Repeats a poll soon, because the isolate that answered may have an outdated cache. */
export function pollSoon(state: PollState, now: number): PollState {
  return state.nextAt === null ? state : { ...state, seq: state.seq + 1, nextAt: now + POLL_AGAIN_MS };
}

const listTooLong: DeliveryFault = {
  code: "list_too_long",
  message: `the list has more than ${POLL_LIST_ITEMS_MAX} items, which is the limit for comparing whole lists`,
};
