// Limits on starts in a play: the execution asks for its place, and continues after the answer.
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Computation } from "../computing/computation.ts";
import { NO_ASSUMPTIONS } from "./assumption-causes.ts";
import { applyCommand, nextTurn, type AttemptInProgress, type Play } from "./play.ts";

/** Decides about the start of an execution at an instant. */
export type StartLimits = (state: ExecutionState, at: number) => StartPlaceResult;
/** The execution asks the limits on its start, and continues after their answer. */
export type PlaceTurn = { readonly asksAt: number };

const ADMITTED: StartPlaceResult = { answer: { kind: "admitted" }, places: [] };

/**
 * Plays until an attempt is in progress, and returns it. Returns null if no input is left, or if a limit of the play is
 * reached.
 */
export function* nextAttempt(play: Play): Computation<AttemptInProgress | null> {
  const { startLimits } = play.settings;
  for (;;) {
    const turn = yield* nextTurn(play);
    if (turn === null || "run" in turn) return turn;
    yield* answerStart(play, startLimits?.(play.state, play.now) ?? ADMITTED);
  }
}

/** Gives the answer of the limits on its start to the execution. */
export function* answerStart(play: Play, result: StartPlaceResult): Computation<void> {
  play.asksForPlace = false;
  const { createdAt: incarnation } = play.state;
  const items = [{ kind: "start_place", key: "virtual", ...result }] as const;
  yield* applyCommand(play, { kind: "confirmed", incarnation, items }, NO_ASSUMPTIONS);
}
