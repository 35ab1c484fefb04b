// A fleet of virtual runs on one clock that share limits, such as a connection's rate or a tenant's quota. Their
// requests are served in the order of their instants. A run is created at its start and released at its end, so that
// only runs in progress use memory.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import type { AssumedResult } from "./assumed-results.ts";
import { supplyOutcome, nextTurn, type AttemptInProgress, type Play } from "./play.ts";
import { answerStart, type PlaceTurn } from "./start-turns.ts";
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import { openTurnQueue, type TurnQueue } from "./turn-queue.ts";
import { refuseAttempt, type AttemptLimits } from "./virtual-run.ts";

/**
 * The decision of the shared limits about an attempt. null: the attempt starts. `waitsUntil`: the attempt waits until
 * that instant. Any other value: the reason for which it is not admitted.
 */
export type AttemptDecision = null | { readonly waitsUntil: number } | NonNullable<ReturnType<AttemptLimits>>;

export type Member = { readonly startAt: number; readonly open: () => Computation<Result<Play>> };
export type FleetInput = {
  readonly members: readonly Member[];
  readonly admit: (member: number, asked: AttemptInProgress, state: ExecutionState) => AttemptDecision;
  /** Decides about a start with limits. */
  readonly place: (member: number, state: ExecutionState, at: number) => StartPlaceResult;
  readonly resultFor: (member: number, asked: AttemptInProgress, state: ExecutionState) => AssumedResult;
  readonly onEnd: (member: number, ended: MemberResult) => void;
};
/** The record of a run up to its last step, or the refusal if its start was refused. */
export type MemberResult = { readonly play: Play } | { readonly refusal: Refusal };

/** The next turn of a run in the fleet: its start, its request to the limits on starts, or the result of an attempt. */
type Turn = {
  readonly member: number;
  readonly next: Member | { readonly play: Play; readonly asked: AttemptInProgress | PlaceTurn };
};
export type Fleet = { readonly input: FleetInput; readonly turns: TurnQueue<Turn> };

export function openFleet(input: FleetInput): Fleet {
  const turns = openTurnQueue<Turn>();
  input.members.forEach((next, member) => turns.put(next.startAt, { member, next }));
  return { input, turns };
}

/** Plays all runs of the fleet until none has a turn left. */
export function* playFleet(fleet: Fleet): Computation<void> {
  for (let turn = fleet.turns.takeFirst(); turn !== null; turn = fleet.turns.takeFirst()) {
    const { member, next } = turn;
    if ("open" in next) yield* startMember(fleet, member, next);
    else yield* playTurn(fleet, member, next.play, next.asked);
  }
}

function* startMember(fleet: Fleet, member: number, { open }: Member): Computation<void> {
  const opened = yield* open();
  if (opened.ok) yield* queueNextTurn(fleet, member, opened.value);
  else fleet.input.onEnd(member, { refusal: opened.refusal });
}

function* playTurn(fleet: Fleet, member: number, play: Play, asked: AttemptInProgress | PlaceTurn): Computation<void> {
  if ("asksAt" in asked) {
    yield* answerStart(play, fleet.input.place(member, play.state, asked.asksAt));
    return yield* queueNextTurn(fleet, member, play);
  }
  const passed = fleet.input.admit(member, asked, play.state);
  if (passed !== null && "waitsUntil" in passed) {
    const later = { ...asked, at: passed.waitsUntil };
    return fleet.turns.put(later.at, { member, next: { play, asked: later } });
  }
  if (passed !== null) refuseAttempt(play, asked, passed);
  else {
    const { outcome, laterEvents } = fleet.input.resultFor(member, asked, play.state);
    supplyOutcome(play, asked, outcome, laterEvents);
  }
  yield* queueNextTurn(fleet, member, play);
}

function* queueNextTurn(fleet: Fleet, member: number, play: Play): Computation<void> {
  const asked = yield* nextTurn(play);
  if (asked === null) fleet.input.onEnd(member, { play });
  else fleet.turns.put("asksAt" in asked ? asked.asksAt : asked.at, { member, next: { play, asked } });
}
