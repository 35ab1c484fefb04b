// Limits by key on starts: an execution holds its slot until it ends. No time ends a slot of a limit with slots, because an execution may last
// for months. If a release was lost, a later request finds the slot in doubt, and its caller checks the execution.
import type { KeyLimitAnswer, KeyLimitRelease, KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { START_CHECK_AFTER_MS, START_DOUBTS_MAX, START_WAIT_MS } from "#schema/limits/limits-by-key.ts";
import { acquireByKey, type KeyLimitResult } from "./admission.ts";
import { slotsMax } from "./line.ts";
import { unusedKey, upToDate, type KeyLease, type KeyLimitState } from "./state.ts";
import { releaseAndWake, type WakeResult } from "./wake.ts";

/** Decides about one execution. `stored`: the state of its key; null if there is none. */
export function acquireStart(
  stored: KeyLimitState | null,
  terms: KeyLimitTerms,
  ask: KeyLimitRequest,
  now: number,
): KeyLimitResult {
  const before = applyChecks(upToDate(stored ?? unusedKey, now), ask, now);
  // Without slots, a lease only recognizes a request whose answer was lost. Kept for the execution's life, leases would
  // grow without bound.
  const lease = Number.isFinite(slotsMax(terms)) ? ask : { ...ask, expiresAt: now + START_CHECK_AFTER_MS };
  const { state, answer } = acquireByKey(before, terms, lease, now);
  if (answer.kind === "admitted") return { state, answer };
  const inDoubt = waitsForSlot(answer) ? doubtsOf(state, now) : [];
  const doubts = inDoubt.length === 0 ? {} : { doubts: inDoubt };
  if (answer.kind === "skipped") return { state, answer: { ...answer, ...doubts } };
  // During its quiet time a start may still be replaced itself, so it replaces no other one yet.
  const isQuiet = answer.reason === "limit_debounce";
  const replaced = terms.singleton === "cancel" && !isQuiet ? replacedBy(before, ask.id) : [];
  const replaces = replaced.length === 0 ? {} : { replaces: replaced };
  if (!waitsForSlot(answer)) return { state, answer: { ...answer, ...replaces } };
  const until = Math.min(Math.max(answer.until, now + START_WAIT_MS.least), now + START_WAIT_MS.most);
  const line = state.line.map((place) => (place.id === ask.id ? { ...place, until } : place));
  return { state: { ...state, line }, answer: { ...answer, until, ...doubts, ...replaces } };
}

/** Releases the slot or the place of an execution, and wakes the next ones. A repeated release changes nothing. */
export function releaseStart(stored: KeyLimitState, ask: KeyLimitRelease, now: number): WakeResult {
  return releaseAndWake({ ...stored, line: stored.line.filter(({ id }) => id !== ask.id) }, ask, now);
}

/** When the engine checks whether the execution of the lease has ended, if another execution waits for its slot. */
export function checkAt({ begunAt, checkedAt = begunAt }: KeyLease): number {
  return checkedAt + START_CHECK_AFTER_MS;
}

function applyChecks(state: KeyLimitState, { live }: KeyLimitRequest, now: number): KeyLimitState {
  if (live === undefined) return state;
  const leases = Object.entries(state.leases).map(([id, lease]): [string, KeyLease] => [
    id,
    live.includes(id) ? { ...lease, checkedAt: now } : lease,
  ]);
  return { ...state, leases: Object.fromEntries(leases) };
}

function waitsForSlot({ reason }: Exclude<KeyLimitAnswer, { kind: "admitted" }>): boolean {
  return reason === "limit_concurrency" || reason === "limit_singleton" || reason === "singleton";
}

/** The executions that have held their slot for long since their last check, the oldest first. */
function doubtsOf({ leases }: KeyLimitState, now: number): readonly string[] {
  return Object.entries(leases)
    .filter(([, lease]) => checkAt(lease) <= now)
    .toSorted(([, a], [, b]) => checkAt(a) - checkAt(b))
    .slice(0, START_DOUBTS_MAX)
    .map(([id]) => id);
}

/** The executions in progress, and those whose places the newest one has taken. */
function replacedBy({ leases, line }: KeyLimitState, newest: string): readonly string[] {
  return [...Object.keys(leases), ...line.map(({ id }) => id)].filter((id) => id !== newest);
}
