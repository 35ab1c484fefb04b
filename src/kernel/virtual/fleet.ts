// A fleet of virtual runs on one clock that share limits, such as a connection's rate or a tenant's quota. Requests are
// served in order of time, across all runs. A run is created at its start and released at its end, so that only runs in
// progress take memory.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import type { AssumedResult } from "./assumed-results.ts";
import { answerAsked, nextAsked, type AttemptInProgress, type Play } from "./play.ts";
import { openTurns, type Turns } from "./turn-queue.ts";
import { turnAway, type Gate } from "./virtual-run.ts";

/** The decision of the shared limits about an attempt: it starts (null), waits until an instant, or is not admitted. */
export type AttemptDecision = null | { readonly waitsUntil: number } | NonNullable<ReturnType<Gate>>;

export type Member = { readonly startAt: number; readonly open: () => Computation<Result<Play>> };
export type FleetInput = {
  readonly members: readonly Member[];
  readonly pass: (member: number, asked: AttemptInProgress, state: ExecutionState) => AttemptDecision;
  readonly comes: (member: number, asked: AttemptInProgress, state: ExecutionState) => AssumedResult;
  readonly over: (member: number, ended: MemberResult) => void;
};
/** The result of a run as far as it was played, or the refusal of its start. */
export type MemberResult = { readonly play: Play } | { readonly refusal: Refusal };

/** The next turn of a member: its start, or the result of an attempt. */
type Turn = {
  readonly member: number;
  readonly next: Member | { readonly play: Play; readonly asked: AttemptInProgress };
};
export type Fleet = { readonly ask: FleetInput; readonly turns: Turns<Turn> };

export function openFleet(ask: FleetInput): Fleet {
  const turns = openTurns<Turn>();
  ask.members.forEach((next, member) => turns.put(next.startAt, { member, next }));
  return { ask, turns };
}

/** Plays all members until no member has a turn. */
export function* playFleet(crowd: Fleet): Computation<void> {
  for (let turn = crowd.turns.takeFirst(); turn !== null; turn = crowd.turns.takeFirst()) {
    const { member, next } = turn;
    if ("open" in next) yield* begin(crowd, member, next);
    else yield* answer(crowd, member, next.play, next.asked);
  }
}

function* begin(crowd: Fleet, member: number, { open }: Member): Computation<void> {
  const opened = yield* open();
  if (opened.ok) yield* advance(crowd, member, opened.value);
  else crowd.ask.over(member, { refusal: opened.refusal });
}

function* answer(crowd: Fleet, member: number, play: Play, asked: AttemptInProgress): Computation<void> {
  const passed = crowd.ask.pass(member, asked, play.state);
  if (passed !== null && "waitsUntil" in passed) {
    const later = { ...asked, at: passed.waitsUntil };
    return crowd.turns.put(later.at, { member, next: { play, asked: later } });
  }
  if (passed !== null) turnAway(play, asked, passed);
  else {
    const { outcome, follows } = crowd.ask.comes(member, asked, play.state);
    answerAsked(play, asked, outcome, follows);
  }
  yield* advance(crowd, member, play);
}

function* advance(crowd: Fleet, member: number, play: Play): Computation<void> {
  const asked = yield* nextAsked(play);
  if (asked === null) crowd.ask.over(member, { play });
  else crowd.turns.put(asked.at, { member, next: { play, asked } });
}
