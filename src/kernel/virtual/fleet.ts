// A fleet of virtual runs on one clock that share limits, such as a connection's rate or a tenant's quota. Requests are
// served in order of time, across all runs. A run is created at its start and released at its end, so that only runs in
// progress take memory.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import type { AssumedResult } from "./assumed-results.ts";
import { supplyOutcome, nextAttempt, type AttemptInProgress, type Play } from "./play.ts";
import { openTurnQueue, type TurnQueue } from "./turn-queue.ts";
import { refuseAttempt, type AttemptLimits } from "./virtual-run.ts";

/** The decision of the shared limits about an attempt: it starts (null), waits until an instant, or is not admitted. */
export type AttemptDecision = null | { readonly waitsUntil: number } | NonNullable<ReturnType<AttemptLimits>>;

export type Member = { readonly startAt: number; readonly open: () => Computation<Result<Play>> };
export type FleetInput = {
  readonly members: readonly Member[];
  readonly admit: (member: number, asked: AttemptInProgress, state: ExecutionState) => AttemptDecision;
  readonly resultFor: (member: number, asked: AttemptInProgress, state: ExecutionState) => AssumedResult;
  readonly onEnd: (member: number, ended: MemberResult) => void;
};
/** The result of a run as far as it was played, or the refusal of its start. */
export type MemberResult = { readonly play: Play } | { readonly refusal: Refusal };

/** The next turn of a member: its start, or the result of an attempt. */
type Turn = {
  readonly member: number;
  readonly next: Member | { readonly play: Play; readonly asked: AttemptInProgress };
};
export type Fleet = { readonly input: FleetInput; readonly turns: TurnQueue<Turn> };

export function openFleet(ask: FleetInput): Fleet {
  const turns = openTurnQueue<Turn>();
  ask.members.forEach((next, member) => turns.put(next.startAt, { member, next }));
  return { input: ask, turns };
}

/** Plays all members until no member has a turn. */
export function* playFleet(crowd: Fleet): Computation<void> {
  for (let turn = crowd.turns.takeFirst(); turn !== null; turn = crowd.turns.takeFirst()) {
    const { member, next } = turn;
    if ("open" in next) yield* startMember(crowd, member, next);
    else yield* playTurn(crowd, member, next.play, next.asked);
  }
}

function* startMember(crowd: Fleet, member: number, { open }: Member): Computation<void> {
  const opened = yield* open();
  if (opened.ok) yield* queueNextTurn(crowd, member, opened.value);
  else crowd.input.onEnd(member, { refusal: opened.refusal });
}

function* playTurn(crowd: Fleet, member: number, play: Play, asked: AttemptInProgress): Computation<void> {
  const passed = crowd.input.admit(member, asked, play.state);
  if (passed !== null && "waitsUntil" in passed) {
    const later = { ...asked, at: passed.waitsUntil };
    return crowd.turns.put(later.at, { member, next: { play, asked: later } });
  }
  if (passed !== null) refuseAttempt(play, asked, passed);
  else {
    const { outcome, laterEvents: follows } = crowd.input.resultFor(member, asked, play.state);
    supplyOutcome(play, asked, outcome, follows);
  }
  yield* queueNextTurn(crowd, member, play);
}

function* queueNextTurn(crowd: Fleet, member: number, play: Play): Computation<void> {
  const asked = yield* nextAttempt(play);
  if (asked === null) crowd.input.onEnd(member, { play });
  else crowd.turns.put(asked.at, { member, next: { play, asked } });
}
