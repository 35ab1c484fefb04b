// Limits by key on starts in previews and forecasts, decided with the code of production. The keys are free at the start.
// A start that replaces another execution takes its slot, but the preview still shows the replaced one to its end.
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { LimitPlace, TicketLimit } from "#schema/key-limits/calls.ts";
import { LIMIT_SLOT_FOREVER } from "#schema/limits/limits-by-key.ts";
import { acquireStart, releaseStart } from "./starts.ts";
import { unusedKey, type KeyLimitState } from "./state.ts";

type Release = { readonly at: number; readonly id: string };
type VirtualKey = { state: KeyLimitState; releases: readonly Release[] };

export function openStartLimits() {
  const keys = new Map<string, VirtualKey>();
  let calls = 0;

  const keyOf = ({ name, key }: TicketLimit): VirtualKey => {
    const at = JSON.stringify([name, key]);
    const found = keys.get(at) ?? { state: unusedKey, releases: [] };
    keys.set(at, found);
    return found;
  };

  const release = (limits: readonly TicketLimit[], id: string, at: number): void => {
    for (const limit of limits) {
      const key = keyOf(limit);
      calls += 1;
      key.releases = [...key.releases, { at, id }].toSorted((a, b) => a.at - b.at);
    }
  };

  const ask = (limit: TicketLimit, id: string, { startPlace }: ExecutionState, at: number) => {
    const key = keyOf(limit);
    applyReleases(key, at);
    const waited = startPlace?.places.find(({ name }) => name === limit.name) ?? null;
    const request = { key: "", id, expiresAt: LIMIT_SLOT_FOREVER, isFirst: true, waited };
    calls += 1;
    const first = acquireStart(key.state, limit.terms, request, at);
    const replaces = first.answer.kind === "held" ? (first.answer.replaces ?? []) : [];
    const freed = replaces.reduce((state, each) => releaseNow(state, each, at), first.state);
    const { state, answer } = replaces.length === 0 ? first : acquireStart(freed, limit.terms, request, at);
    key.state = state;
    return answer;
  };

  return {
    /** Decides about the start of a member. */
    place: (member: number, state: ExecutionState, at: number): StartPlaceResult => {
      const { limits = [] } = state.startPlace ?? {};
      const id = String(member);
      const places: LimitPlace[] = [];
      for (const [position, limit] of limits.entries()) {
        const { name, key } = limit;
        const answer = ask(limit, id, state, at);
        if (answer.kind === "admitted") {
          places.push({ name, since: answer.since, stage: "turn", ahead: 0 });
          continue;
        }
        release(limits.slice(0, position), id, at);
        if (answer.kind === "skipped") {
          const { reason, nextAt } = answer;
          return { answer: { kind: "skipped", limit: name, key, reason, nextAt }, places };
        }
        const { reason, since, stage, ahead } = answer;
        // A release that is already known lets the execution ask at its instant, as a wake-up does.
        const until = Math.min(answer.until, keyOf(limit).releases[ahead]?.at ?? Infinity);
        const held = { kind: "held", limit: name, key, reason, until: Math.max(until, at + 1), ahead } as const;
        return { answer: held, places: [...places, { name, since, stage, ahead }] };
      }
      return { answer: { kind: "admitted" }, places };
    },
    /** Records that a member has ended. */
    end: (member: number, { startPlace, finishedAt }: ExecutionState): void => {
      if (startPlace && finishedAt !== null) release(startPlace.limits, String(member), finishedAt);
    },
    /** The number of calls to objects so far. */
    calls: () => calls,
  };
}

function applyReleases(key: VirtualKey, now: number): void {
  for (const { at, id } of key.releases) if (at <= now) key.state = releaseNow(key.state, id, at);
  key.releases = key.releases.filter(({ at }) => at > now);
}

function releaseNow(state: KeyLimitState, id: string, at: number): KeyLimitState {
  return releaseStart(state, { key: "", id, wasSent: true }, at).state;
}
