// Decides the next action and the speed of an operation, and counts its progress. Operations process dead letters, a
// list (enrolling.ts) or executions (collecting.ts). Ids are stored before they are processed. So a slice whose
// response is lost is repeated and counted once.
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
  /** The position in the catalog's list; null at its start and end. */
  readonly cursor: string | null;
  /** True if all ids have been read from the list. */
  readonly isListed: boolean;
  /** The ids that were read and are not processed yet. */
  readonly queue: readonly string[];
  /** Ids whose executions could not be reached. `leftAt`: the time of the next try, in epoch ms. */
  readonly left: readonly string[];
  readonly leftAt: number;
  /** By id in `left`: since when the execution could not be reached, and how often it threw an error. */
  readonly held?: { readonly [id: string]: Held };
  /** The operation does nothing before this time (epoch ms). */
  readonly nextAt: number;
  readonly counts: OperationCounts;
  readonly trouble: OperationFault | null;
  /** The uploaded parts, for an operation over a list. */
  readonly upload?: Upload;
  /** The progress of collecting ids, for an operation over executions. */
  readonly finding?: CollectingProgress;
  /** When the processed executions are checked next, in epoch ms. */
  readonly lookAt?: number;
  readonly stopped?: AutomaticStop;
  readonly finishedAt: number | null;
  readonly aborted: OperationAbort | null;
  /** True if the catalog has stored the operation's result. */
  readonly isClosed: boolean;
};

type Unreached = Extract<ItemOutcome, { readonly kind: "unreached" }>;
/** An item whose execution could not be reached. `broke`: how often the execution threw an error. */
type Held = { readonly since: number; readonly broke: number };

/** The next action of the operation's object. */
export type OperationPlan =
  | { readonly kind: "find"; readonly cursor: string | null }
  /** Check the first `of` items of the list, which have been processed. */
  | { readonly kind: "look"; readonly of: number }
  | { readonly kind: "list"; readonly cursor: string | null }
  | { readonly kind: "act"; readonly ids: readonly string[] }
  | { readonly kind: "close" }
  /** Sleep until this instant; null: until a call stores an operation. */
  | { readonly kind: "rest"; readonly at: number | null }
  | { readonly kind: "forget" };

const SECOND_MS = 1_000;
/** The delay after errors doubles at most so often. */
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

/** The number of items in a slice, and the time between slices. */
export type SlicePace = { readonly size: number; readonly everyMs: number };

/** Returns equal slices at equal distances: at most `perSecond` items in any second. Delays are not caught up. */
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
 * Stores when the next slice may start, before this slice is processed. So slices keep their distance after a failure.
 */
export function beginSlice(state: OperationState, plan: OperationPlan, now: number): OperationState {
  return plan.kind === "act" ? { ...state, nextAt: now + paceOf(state.terms.perSecond).everyMs } : state;
}

/** Adds a page of ids from the catalog. Ids that are already stored are ignored. */
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
  /** The outcomes of items that need no further processing. */
  readonly settled: readonly ItemOutcome[];
};

/** Records the outcomes of a slice. Each item is counted once, because a repeated response finds its items removed. */
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
  // Items that wait for a retry keep their time, unless it has just passed.
  const startsWait = state.left.length === 0 || state.left.some((id) => done.has(id));
  const leftAt = startsWait ? now + backoffMs(trouble) : state.leftAt;
  return { state: stopIfRefused({ ...updated, trouble, leftAt }, now), settled };
}

/** Gives up an item that fails repeatedly or cannot be reached for a day, so that every operation ends. */
function givenUp(outcome: ItemOutcome, before: ReadonlyMap<string, Held>, now: number): ItemOutcome {
  if (outcome.kind !== "unreached") return outcome;
  const { since, broke } = unreachedOf(outcome, before, now);
  const { id, error: message } = outcome;
  if (broke >= OPERATION_BROKEN_TRIES_MAX) return { id, kind: "refused", code: "internal_error", message };
  return now - since >= OPERATION_UNREACHED_MS_MAX ? { id, kind: "refused", code: "unavailable", message } : outcome;
}

/** Returns since when the item is unreached, including the current try. */
function unreachedOf({ id, isBroken }: Unreached, before: ReadonlyMap<string, Held>, now: number): Held {
  const { since, broke } = before.get(id) ?? { since: now, broke: 0 };
  return { since, broke: isBroken ? broke + 1 : broke };
}

/** Returns the unreached items after a slice, by id. */
function unreachedAfter(before: ReadonlyMap<string, Held>, outcomes: readonly ItemOutcome[], now: number) {
  const held = new Map(before);
  for (const outcome of outcomes) {
    if (outcome.kind === "unreached") held.set(outcome.id, unreachedOf(outcome, before, now));
    else held.delete(outcome.id);
  }
  return Object.fromEntries(held);
}

/** Records that a call failed as a whole, with unknown effect. It is repeated, which is harmless. */
export function recordTrouble(state: OperationState, error: string, now: number): OperationState {
  const trouble = nextTrouble(state, error, now);
  return { ...state, trouble, nextAt: now + backoffMs(trouble) };
}

/** Aborts the operation: no slice is started any more. The slice in progress ends and is counted. */
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

/** Returns the number of items that are not processed. While the list is read, this is an estimate. */
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

/** Clears the error when no item waits for a retry. */
function clearTrouble(state: OperationState): OperationState {
  return state.left.length > 0 ? state : { ...state, trouble: null };
}

/** Ends the operation if the list is read and no item is left. */
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
