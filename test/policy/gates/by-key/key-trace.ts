// Traces of one key: lists of requests with the expected answers, which a reader can follow from top to bottom.
import { expect } from "vitest";
import { acquireByKey } from "#policy/gates/by-key/admission.ts";
import { passOnSlots, releaseAndWake, type WakeResult } from "#policy/gates/by-key/wake.ts";
import { unusedKey, type KeyLimitState } from "#policy/gates/by-key/state.ts";
import type { KeyLimitAnswer, KeyLimitTerms } from "#schema/key-limits/calls.ts";

export const T = 1_000_000_000_000;

/** Requests of one key. Times are in ms after T. A run that waits returns with the place that it was given. */
export function openTrace(terms: KeyLimitTerms, before: KeyLimitState | null = null) {
  let state = before;
  const places = new Map<string, KeyLimitAnswer>();

  const ask = (
    at: number,
    id: string,
    more: { isFirst?: boolean; forgets?: boolean; leaseMs?: number } = {},
  ): string => {
    const place = places.get(id);
    const waited = place === undefined || place.kind === "skipped" || more.forgets ? null : placeIn(place);
    const request = {
      key: "k",
      id,
      expiresAt: T + at + (more.leaseMs ?? 60_000),
      isFirst: more.isFirst ?? true,
      waited,
    };
    const { state: after, answer } = acquireByKey(state, terms, request, T + at);
    state = after;
    places.set(id, answer);
    return answerInWords(answer);
  };
  const woken = (change: (before: KeyLimitState) => WakeResult): readonly string[] => {
    const { state: after, wake } = change(state ?? unusedKey);
    state = after;
    return wake.map(({ id, at }) => `${id} at ${at - T}`);
  };
  return {
    ask,
    /** Each line has the time, the run, and the expected answer. */
    asks: (...lines: readonly (readonly [number, string, string])[]) => {
      const seen = lines.map(([at, id]) => [at, id, ask(at, id)]);
      expect(seen).toEqual(lines);
    },
    /** Returns the runs that are woken. */
    release: (at: number, id: string, wasSent = true) => {
      places.delete(id);
      return woken((before) => releaseAndWake(before, { key: "k", id, wasSent }, T + at));
    },
    /** Returns the runs that are woken instead of the runs that are gone. */
    passOn: (at: number, ...gone: readonly string[]) => woken((before) => passOnSlots(before, gone, T + at)),
    state: () => {
      expect(state).not.toBeNull();
      return state as KeyLimitState; // checked in the line above
    },
  };
}

function placeIn(answer: Exclude<KeyLimitAnswer, { kind: "skipped" }>) {
  return answer.kind === "admitted"
    ? { since: answer.since, stage: "turn" as const }
    : { since: answer.since, stage: answer.stage };
}

function answerInWords(answer: KeyLimitAnswer): string {
  switch (answer.kind) {
    case "admitted":
      return "starts";
    case "held":
      return `${answer.reason.replace("limit_", "")} until ${answer.until - T}, ${answer.ahead} ahead`;
    case "skipped":
      return `${answer.reason}${answer.nextAt === null ? "" : `, next at ${answer.nextAt - T}`}`;
  }
}
