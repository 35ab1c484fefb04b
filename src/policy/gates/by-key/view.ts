// Use of one key of a limit, for operators and explanations.
import type { KeyUse } from "#schema/key-limits/calls.ts";
import { LIMIT_WAITING_SHOWN } from "#schema/limits/limits-by-key.ts";
import { acquireByKey } from "./admission.ts";
import { checkAt } from "./starts.ts";
import { upToDate, type KeyLimitState } from "./state.ts";

export function viewKey(stored: KeyLimitState, now: number): KeyUse {
  const state = upToDate(stored, now);
  const { terms, leases, line, counted, debounce } = state;
  const inUse = Object.entries(leases).map(([run, lease]) => {
    const until = terms.of === "starts" ? checkAt(lease) : lease.expiresAt;
    return { run, since: lease.begunAt, until };
  });
  const next = line.slice(0, LIMIT_WAITING_SHOWN).map(({ id, since, until }) => ({ run: id, since, until }));
  const { rate } = terms;
  return {
    terms,
    inUse,
    waiting: line.length,
    next,
    counted: rate === undefined ? null : (counted?.taken ?? []).filter(({ at }) => at > now - rate.perMs).length,
    debouncing: debounce === null || debounce.isOver ? null : { run: debounce.id, until: debounce.until },
    nextAt: nextAt(state, now),
  };
}

/** When a new run could start: the answer of the gate to a run that does not exist. Null if it could start now. */
function nextAt(state: KeyLimitState, now: number): number | null {
  const ask = { key: "", id: "", expiresAt: now, isFirst: true, waited: null };
  const { answer } = acquireByKey(state, state.terms, ask, now);
  switch (answer.kind) {
    case "admitted":
      return null;
    case "held":
      return answer.until;
    case "skipped":
      return answer.nextAt;
  }
}
