// Entry checks of a limit by key: singleton, debounce and rate. They decide once about each run, before it gets a place,
// and may skip it.
import type { KeyLimitAnswer, KeyLimitRequest, KeyLimitTerms, LimitSkipReason } from "#schema/key-limits/calls.ts";
import { takeSlot } from "../../subject/slots.ts";
import type { KeyLimitState } from "./state.ts";

/** `answer`: null if the run may enter the line. */
export type EntryResult = { readonly state: KeyLimitState; readonly answer: KeyLimitAnswer | null };

export function enterLimit(state: KeyLimitState, ask: KeyLimitRequest, now: number): EntryResult {
  const { singleton, debounce } = state.terms;
  if (singleton === "skip" && isUnderWay(state)) return skip(state, "singleton", null);
  const quiet = debounce === undefined ? { state, answer: null } : debounceRun(state, debounce, ask, now);
  if (quiet.answer !== null) return quiet;
  const counted = countRun(quiet.state, ask.id, now);
  if (counted.answer !== null || singleton !== "cancel") return counted;
  return { state: { ...counted.state, newest: { id: ask.id, at: now }, line: [] }, answer: null };
}

/** Skips a run that entered earlier if a newer run has replaced it. */
export function skipIfReplaced(state: KeyLimitState, { id }: KeyLimitRequest): EntryResult {
  const { terms, newest } = state;
  const isReplaced = terms.singleton === "cancel" && newest !== null && newest.id !== id;
  return isReplaced ? skip(state, "singleton", null) : { state, answer: null };
}

function isUnderWay({ leases, line }: KeyLimitState): boolean {
  return Object.keys(leases).length + line.length > 0;
}

/** Holds the newest run until the quiet time has passed. A run that returns and is no longer the newest is skipped. */
function debounceRun(
  state: KeyLimitState,
  { forMs, atMostMs }: NonNullable<KeyLimitTerms["debounce"]>,
  { id, waited }: KeyLimitRequest,
  now: number,
): EntryResult {
  const { debounce: before } = state;
  const at = waited?.since ?? now;
  if (before !== null && before.id !== id && waited !== null && before.at >= at) return skip(state, "debounced", null);
  const firstAt = before === null || before.isOver ? at : before.firstAt;
  const until = Math.min(at + forMs, atMostMs === null ? Infinity : firstAt + atMostMs);
  const isOver = until <= now;
  const debounced = { ...state, debounce: { id, at, firstAt, until, isOver } };
  if (isOver) return { state: debounced, answer: null };
  const held = { kind: "held", reason: "limit_debounce", until, since: at, stage: "debounce", ahead: 0 } as const;
  return { state: debounced, answer: held };
}

function countRun(state: KeyLimitState, id: string, now: number): EntryResult {
  const { rate } = state.terms;
  if (rate === undefined) return { state, answer: null };
  const window = { kind: "rolling", ms: rate.perMs } as const;
  const { row, answer } = takeSlot(state.counted, { cap: "rate", max: rate.max, window, key: id }, now);
  return answer.ok
    ? { state: { ...state, counted: row }, answer: null }
    : skip(state, "rate_limited_by_key", answer.opensAt);
}

function skip(state: KeyLimitState, reason: LimitSkipReason, nextAt: number | null): EntryResult {
  return { state, answer: { kind: "skipped", reason, nextAt } };
}
