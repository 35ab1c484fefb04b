// Wake-ups of a limit by key: chooses the waiting runs that get a slot that has become free. Each of them returns earlier
// than expected. A wake-up that is lost delays its run until the expected time only.
import type { KeyLimitRelease, LimitWakeUp } from "#schema/key-limits/calls.ts";
import { releaseByKey } from "./admission.ts";
import { isBlocking, nextTurnAt, slotsMax } from "./line.ts";
import { upToDate, type KeyLimitState, type Place } from "./state.ts";

export type WakeResult = { readonly state: KeyLimitState; readonly wake: readonly LimitWakeUp[] };

/** Ends a run's lease, and wakes as many waiting runs as slots are free. */
export function releaseAndWake(stored: KeyLimitState, ask: KeyLimitRelease, now: number): WakeResult {
  return wakeNext(releaseByKey(stored, ask, now), now);
}

/** Removes the places of runs that were woken but no longer wait, and wakes the next ones. */
export function passOnSlots(stored: KeyLimitState, gone: readonly string[], now: number): WakeResult {
  const state = upToDate(stored, now);
  return wakeNext({ ...state, line: state.line.filter(({ id }) => !gone.includes(id)) }, now);
}

/** A slot that is promised to a run that will return soon is not free for the runs behind it. */
function wakeNext(state: KeyLimitState, now: number): WakeResult {
  const slots = slotsMax(state.terms);
  if (!Number.isFinite(slots)) return { state, wake: [] };
  const free = slots - Object.keys(state.leases).length;
  const first = state.line.filter((place) => isBlocking(place, state, now)).slice(0, Math.max(0, free));
  const woken = new Map(
    first.flatMap((place, n): [string, Place][] => {
      const until = Math.ceil(Math.max(now, turnOf(state, place, first.slice(0, n), now)));
      return until < place.until ? [[place.id, { ...place, until, isWoken: true }]] : [];
    }),
  );
  if (woken.size === 0) return { state, wake: [] };
  const wake = [...woken.values()].map(({ id, until }) => ({ id, at: until }));
  return { state: { ...state, line: state.line.map((place) => woken.get(place.id) ?? place) }, wake };
}

/** When the throttle admits the run: now, if it decides nothing more about it. */
function turnOf(state: KeyLimitState, place: Place, blocking: readonly Place[], now: number): number {
  const { throttle } = state.terms;
  if (throttle === undefined || place.hasTurn === true) return now;
  const before = state.line.slice(0, state.line.indexOf(place));
  return nextTurnAt(state.throttle, throttle, { blocking, before }, now);
}
