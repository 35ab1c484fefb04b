// Decides the next action and the speed of an operation, and counts its progress. An operation processes dead letters,
// a list (enrolling.ts) or executions (collecting.ts). Ids are stored before they are processed. A slice whose response
// is lost is therefore repeated, and its items are counted once.
import type {
  ItemOutcome,
  OperationAbort,
  OperationCounts,
  OperationPage,
  OperationStatus,
  OperationRequest,
  OperationFault,
  OperationView,
} from "#schema/operation.ts";
import type { AutomaticStop } from "#schema/engine/execution-command.ts";
import type { Upload } from "#schema/subject/enrolling.ts";
import {
  OPERATION_BACKOFF_MS_MAX,
  OPERATION_BROKEN_TRIES_MAX,
  OPERATION_KEPT_MS,
  OPERATION_SLICE_MAX,
  OPERATION_UNREACHED_MAX,
  OPERATION_UNREACHED_MS_MAX,
} from "#schema/limits/upkeep/bulk-operations.ts";
import type { CollectingProgress } from "./collecting.ts";
import { isCheckDue, stopIfRefused, processedCount } from "./stopping.ts";

/** The stored state of an operation. */
export type OperationState = {
  readonly v: 1;
  readonly terms: OperationRequest;
  readonly status: OperationStatus;
  /** The position in the catalog's list; null before the first page and after the last one. */
  readonly cursor: string | null;
  /** True if the operation has read all ids from the list. */
  readonly isListed: boolean;
  /** The ids that were read but not processed yet. */
  readonly queue: readonly string[];
  /** The ids of items whose executions could not be reached. `leftAt`: when they are tried again, in epoch ms. */
  readonly left: readonly string[];
  readonly leftAt: number;
  /** For each id in `left`: since when its execution could not be reached, and how often it threw an error. */
  readonly held?: { readonly [id: string]: Held };
  /** The operation does nothing before this instant (epoch ms). */
  readonly nextAt: number;
  readonly counts: OperationCounts;
  readonly trouble: OperationFault | null;
  /** The uploaded parts of the list; absent if the operation has no list. */
  readonly upload?: Upload;
  /** The progress of collecting ids; absent if the operation is not over executions. */
  readonly finding?: CollectingProgress;
  /** The instant of the next check of the processed executions, in epoch ms. */
  readonly lookAt?: number;
  readonly stopped?: AutomaticStop;
  readonly finishedAt: number | null;
  readonly aborted: OperationAbort | null;
  /** True if the result of the operation is stored in the catalog. */
  readonly isClosed: boolean;
};

type Unreached = Extract<ItemOutcome, { readonly kind: "unreached" }>;
/** An item whose execution could not be reached. `broke`: how often the execution threw an error. */
type Held = { readonly since: number; readonly broke: number };

/** The next action of the operation's object. */
export type OperationPlan =
  | { readonly kind: "find"; readonly cursor: string | null }
  /** Check the executions of the first `of` items, which are processed. */
  | { readonly kind: "look"; readonly of: number }
  | { readonly kind: "list"; readonly cursor: string | null }
  | { readonly kind: "act"; readonly ids: readonly string[] }
  | { readonly kind: "close" }
  /** Sleep until this instant; null: until a call stores an operation. */
  | { readonly kind: "rest"; readonly at: number | null }
  | { readonly kind: "forget" };

const SECOND_MS = 1_000;
/** The number of times that the delay after errors doubles; after that it stays the same. */
const DOUBLINGS_MAX = 6;

export function openOperation(terms: OperationRequest): OperationState {
  return {
    v: 1,
    terms,
    status: "running",
    cursor: null,
    isListed: false,
    queue: [],
    left: [],
    leftAt: 0,
    nextAt: terms.createdAt,
    counts: { released: 0, skipped: terms.handled ? { handled: terms.handled } : {}, gone: 0, refused: {} },
    trouble: null,
    finishedAt: null,
    aborted: null,
    isClosed: false,
  };
}

/** How many items a slice has, and the time from one slice to the next. */
export type SlicePace = { readonly size: number; readonly everyMs: number };

/**
 * Returns slices of equal size at equal distances, with at most `perSecond` items in any second. A slice that starts
 * late does not make later slices larger or closer.
 */
export function paceOf(perSecond: number): SlicePace {
  const slices = Math.ceil(perSecond / OPERATION_SLICE_MAX);
  return { size: Math.floor(perSecond / slices), everyMs: Math.ceil(SECOND_MS / slices) };
}

/** Decides what the operation's object does next. */
export function planOperation(state: OperationState, now: number): OperationPlan {
  if (state.finishedAt !== null && state.isClosed) {
    const until = state.finishedAt + OPERATION_KEPT_MS;
    return until <= now ? { kind: "forget" } : { kind: "rest", at: until };
  }
  if (state.nextAt > now) return { kind: "rest", at: state.nextAt };
  if (state.status !== "running") return { kind: "close" };
  return nextSlice(state, now);
}

/** Returns the next action of a running operation: list, process or retry items. */
function nextSlice(state: OperationState, now: number): OperationPlan {
  const { terms, queue, left, leftAt, isListed, cursor, finding } = state;
  const { size } = paceOf(terms.perSecond);
  if (finding?.isAll === false) return { kind: "find", cursor: finding.cursor };
  if (isCheckDue(state, now)) return { kind: "look", of: processedCount(state) };
  if (left.length > 0 && leftAt <= now) return { kind: "act", ids: left.slice(0, size) };
  if (left.length >= OPERATION_UNREACHED_MAX) return { kind: "rest", at: leftAt };
  if (queue.length < size && !isListed) return { kind: "list", cursor };
  return queue.length > 0 ? { kind: "act", ids: queue.slice(0, size) } : { kind: "rest", at: leftAt };
}

/**
 * Stores the earliest instant of the next slice before this slice is processed. The distance between slices is then
 * kept even after a failure.
 */
export function beginSlice(state: OperationState, plan: OperationPlan, now: number): OperationState {
  return plan.kind === "act" ? { ...state, nextAt: now + paceOf(state.terms.perSecond).everyMs } : state;
}

/** Adds a page of ids from the catalog. Ids that the operation already has are ignored. */
export function addPage(state: OperationState, { ids, cursor }: OperationPage, now: number): OperationState {
  const known = new Set([...state.queue, ...state.left]);
  const queue = [...state.queue, ...ids.filter((id) => !known.has(id))];
  return finishIfEmpty(clearTrouble({ ...state, queue, cursor, isListed: cursor === null }), now);
}

export function advance(state: OperationState, outcomes: readonly ItemOutcome[], now: number): OperationState {
  return recordOutcomes(state, outcomes, now).state;
}

export type AdvanceResult = {
  readonly state: OperationState;
  /** The outcomes of items that are completely processed. */
  readonly settled: readonly ItemOutcome[];
};

/**
 * Records the outcomes of a slice. If the response of a slice is repeated, its items are already removed, so each item
 * is counted once.
 */
export function recordOutcomes(state: OperationState, outcomes: readonly ItemOutcome[], now: number): AdvanceResult {
  const open = new Set([...state.queue, ...state.left]);
  const unreachedBefore = new Map(Object.entries(state.held ?? {}));
  const applied = outcomes.filter(({ id }) => open.delete(id)).map((outcome) => givenUp(outcome, unreachedBefore, now));
  const done = new Set(applied.map(({ id }) => id));
  const unreached = applied.flatMap((outcome) => (outcome.kind === "unreached" ? [outcome] : []));
  const updated = {
    ...state,
    queue: state.queue.filter((id) => !done.has(id)),
    left: [...state.left.filter((id) => !done.has(id)), ...unreached.map(({ id }) => id)],
    held: unreachedAfter(unreachedBefore, applied, now),
    counts: applied.reduce(countOutcome, state.counts),
  };
  const [first] = unreached;
  const settled = applied.filter(({ kind }) => kind !== "unreached");
  if (first === undefined) return { state: stopIfRefused(finishIfEmpty(clearTrouble(updated), now), now), settled };
  const trouble = nextTrouble(state, first.error, now);
  // The instant at which items are tried again is not changed, unless this slice has just tried them.
  const startsWait = state.left.length === 0 || state.left.some((id) => done.has(id));
  const leftAt = startsWait ? now + backoffMs(trouble) : state.leftAt;
  return { state: stopIfRefused({ ...updated, trouble, leftAt }, now), settled };
}

/** Gives up an item that failed too often, or that could not be reached for a day. Every operation therefore ends. */
function givenUp(outcome: ItemOutcome, before: ReadonlyMap<string, Held>, now: number): ItemOutcome {
  if (outcome.kind !== "unreached") return outcome;
  const { since, broke } = unreachedOf(outcome, before, now);
  const { id, error: message } = outcome;
  if (broke >= OPERATION_BROKEN_TRIES_MAX) return { id, kind: "refused", code: "internal_error", message };
  return now - since >= OPERATION_UNREACHED_MS_MAX ? { id, kind: "refused", code: "unavailable", message } : outcome;
}

/** Returns the record of an unreached item, including the current try. */
function unreachedOf({ id, isBroken }: Unreached, before: ReadonlyMap<string, Held>, now: number): Held {
  const { since, broke } = before.get(id) ?? { since: now, broke: 0 };
  return { since, broke: isBroken ? broke + 1 : broke };
}

/** Returns the records of all unreached items after a slice, by id. */
function unreachedAfter(before: ReadonlyMap<string, Held>, outcomes: readonly ItemOutcome[], now: number) {
  const held = new Map(before);
  for (const outcome of outcomes) {
    if (outcome.kind === "unreached") held.set(outcome.id, unreachedOf(outcome, before, now));
    else held.delete(outcome.id);
  }
  return Object.fromEntries(held);
}

/**
 * Records that the call for a slice failed, so that its effect is unknown. It is repeated, and items that are already
 * processed are not processed twice.
 */
export function recordTrouble(state: OperationState, error: string, now: number): OperationState {
  const trouble = nextTrouble(state, error, now);
  return { ...state, trouble, nextAt: now + backoffMs(trouble) };
}

/** Aborts the operation: starts no further slice. A slice that is already in progress ends and is counted. */
export function abortOperation(state: OperationState, by: OperationAbort, now: number): OperationState {
  return { ...state, status: "aborted", aborted: by, finishedAt: now, nextAt: now };
}

/** Records that the catalog has stored the result. */
export function closeOperation(state: OperationState): OperationState {
  return { ...state, isClosed: true, trouble: null };
}

/** Returns the operation for API responses. */
export function viewOperation(state: OperationState, now: number): OperationView {
  const { terms, status, finishedAt, counts, trouble, aborted, stopped } = state;
  const remaining = remainingOf(state);
  const endAt = Math.max(now, state.nextAt) + Math.ceil((remaining / terms.perSecond) * SECOND_MS);
  const estimatedEndAt = status === "running" ? endAt : null;
  return {
    ...terms,
    status,
    finishedAt,
    counts,
    remaining,
    estimatedEndAt,
    trouble,
    aborted,
    stopped: stopped ?? null,
  };
}

/** Returns how many items are not processed yet. While the list is being read, this is an estimate. */
function remainingOf(state: OperationState): number {
  const { terms, queue, left, isListed } = state;
  const known = queue.length + left.length;
  return isListed ? known : Math.max(known, terms.matched - processedCount({ ...state, left: [] }));
}

function countOutcome(counts: OperationCounts, outcome: ItemOutcome): OperationCounts {
  switch (outcome.kind) {
    case "released":
      return { ...counts, released: counts.released + 1 };
    case "gone":
      return { ...counts, gone: counts.gone + 1 };
    case "skipped":
      return { ...counts, skipped: plusOne(counts.skipped, outcome.reason) };
    case "refused":
      return { ...counts, refused: plusOne(counts.refused, outcome.code) };
    case "unreached":
      return counts;
  }
}

function plusOne(tally: { readonly [what: string]: number }, what: string) {
  return { ...tally, [what]: (Object.hasOwn(tally, what) ? Number(tally[what]) : 0) + 1 };
}

/** Removes the error of the operation when no item must be tried again. */
function clearTrouble(state: OperationState): OperationState {
  return state.left.length > 0 ? state : { ...state, trouble: null };
}

/** Ends the operation when the whole list is read and processed. */
function finishIfEmpty(state: OperationState, now: number): OperationState {
  const { status, isListed, queue, left } = state;
  if (status !== "running" || !isListed || queue.length + left.length > 0) return state;
  return { ...state, status: "done", finishedAt: now, nextAt: now };
}

function nextTrouble({ trouble }: OperationState, error: string, now: number): OperationFault {
  return { since: trouble?.since ?? now, error, tries: (trouble?.tries ?? 0) + 1 };
}

function backoffMs({ tries }: OperationFault): number {
  return Math.min(OPERATION_BACKOFF_MS_MAX, SECOND_MS * 2 ** Math.min(tries - 1, DOUBLINGS_MAX));
}
