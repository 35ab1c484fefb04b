// Limits by key in previews and forecasts, decided with the code of production. The keys are free at the start. In a
// forecast, an execution that is not simulated itself counts as having a key of its own.
import type { AttemptInProgress } from "#kernel/virtual/play.ts";
import type { AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import { openTurnQueue, type TurnQueue } from "#kernel/virtual/turn-queue.ts";
import type { LimitPlace, TicketLimit } from "#schema/key-limits/calls.ts";
import { SLOT_LEASE_GRACE_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { acquireByKey, releaseByKey } from "./admission.ts";
import { unusedKey, type KeyLimitState } from "./state.ts";

type Release = { readonly at: number; readonly id: string; readonly wasSent: boolean };
/** `endsAt`: when the attempts in progress end. A virtual run cannot be woken, so it returns at the end before it. */
type VirtualKey = { state: KeyLimitState; readonly releases: TurnQueue<Release>; readonly endsAt: Map<string, number> };

export function openKeyLimits() {
  const keys = new Map<string, VirtualKey>();
  const places = new Map<string, Pick<LimitPlace, "since" | "stage">>();
  let calls = 0;

  const keyOf = ({ name, key }: TicketLimit): VirtualKey => {
    const at = JSON.stringify([name, key]);
    const found = keys.get(at) ?? { state: unusedKey, releases: openTurnQueue(), endsAt: new Map() };
    keys.set(at, found);
    return found;
  };

  const pass = (member: number, { run, attempt, at, timeoutMs }: AttemptInProgress): ReturnType<AttemptLimits> => {
    const { limits = [] } = run;
    const id = `${member}/${run.id}`;
    for (const [position, limit] of limits.entries()) {
      const key = keyOf(limit);
      const place = `${id} ${limit.name}`;
      releaseEnded(key, at);
      const expiresAt = at + timeoutMs + SLOT_LEASE_GRACE_MS;
      const ask = { key: "", id, expiresAt, isFirst: attempt === 1, waited: places.get(place) ?? null };
      const { state, answer } = acquireByKey(key.state, limit.terms, ask, at, key.endsAt);
      key.state = state;
      calls += 1;
      if (answer.kind === "admitted") {
        places.set(place, { since: answer.since, stage: "turn" });
        continue;
      }
      for (const granted of limits.slice(0, position)) keyOf(granted).releases.put(at, { at, id, wasSent: false });
      if (answer.kind === "skipped")
        return { skipped: answer.reason, ...(answer.nextAt === null ? {} : { nextAt: answer.nextAt }) };
      places.set(place, answer);
      return { reason: answer.reason, until: answer.until, connection: null };
    }
    return null;
  };

  return {
    pass,
    /** Records that an admitted attempt ended. `wasSent`: false if another limit held or skipped it. */
    end: (member: number, { run }: AttemptInProgress, at: number, wasSent: boolean): void => {
      const id = `${member}/${run.id}`;
      calls += run.limits?.length ?? 0;
      for (const limit of run.limits ?? []) {
        const { releases, endsAt } = keyOf(limit);
        releases.put(at, { at, id, wasSent });
        endsAt.set(id, at);
      }
    },
    /** The number of calls to objects so far. */
    calls: () => calls,
  };
}

function releaseEnded(key: VirtualKey, now: number): void {
  for (let next = key.releases.takeFirst(); next !== null; next = key.releases.takeFirst()) {
    if (next.at > now) return key.releases.put(next.at, next);
    key.endsAt.delete(next.id);
    key.state = releaseByKey(key.state, { key: "", id: next.id, wasSent: next.wasSent }, next.at);
  }
}
