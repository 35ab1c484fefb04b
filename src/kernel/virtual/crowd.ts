// Very many virtual runs on one clock, for what they share: a connection's rate, a tenant's quota. Whoever asks first is
// answered first, whoever's it is. A run begins when its time comes and is let go of when it is over, so that only those
// that are under way take room.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import type { Assumed } from "./assumed.ts";
import { answerAsked, nextAsked, type Asked, type Play } from "./play.ts";
import { openTurns, type Turns } from "./line-up.ts";
import { turnAway, type Gate } from "./virtual-run.ts";

/** What is shared says of an attempt: it goes (null), it waits in its place until then, or it is turned away. */
export type Passed = null | { readonly waitsUntil: number } | NonNullable<ReturnType<Gate>>;

export type Member = { readonly startAt: number; readonly open: () => Computation<Result<Play>> };
export type CrowdAsk = {
  readonly members: readonly Member[];
  readonly pass: (member: number, asked: Asked, state: ExecutionState) => Passed;
  readonly comes: (member: number, asked: Asked, state: ExecutionState) => Assumed;
  readonly over: (member: number, ended: Ended) => void;
};
/** How it went, as far as it was played; or why it did not begin. */
export type Ended = { readonly play: Play } | { readonly refusal: Refusal };

/** Somebody's turn: to begin, or to be told what comes of an attempt. */
type Turn = { readonly member: number; readonly next: Member | { readonly play: Play; readonly asked: Asked } };
export type Crowd = { readonly ask: CrowdAsk; readonly turns: Turns<Turn> };

export function openCrowd(ask: CrowdAsk): Crowd {
  const turns = openTurns<Turn>();
  ask.members.forEach((next, member) => turns.put(next.startAt, { member, next }));
  return { ask, turns };
}

/** Turn by turn, until no member has one. */
export function* playCrowd(crowd: Crowd): Computation<void> {
  for (let turn = crowd.turns.takeFirst(); turn !== null; turn = crowd.turns.takeFirst()) {
    const { member, next } = turn;
    if ("open" in next) yield* begin(crowd, member, next);
    else yield* answer(crowd, member, next.play, next.asked);
  }
}

function* begin(crowd: Crowd, member: number, { open }: Member): Computation<void> {
  const opened = yield* open();
  if (opened.ok) yield* advance(crowd, member, opened.value);
  else crowd.ask.over(member, { refusal: opened.refusal });
}

function* answer(crowd: Crowd, member: number, play: Play, asked: Asked): Computation<void> {
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

function* advance(crowd: Crowd, member: number, play: Play): Computation<void> {
  const asked = yield* nextAsked(play);
  if (asked === null) crowd.ask.over(member, { play });
  else crowd.turns.put(asked.at, { member, next: { play, asked } });
}
