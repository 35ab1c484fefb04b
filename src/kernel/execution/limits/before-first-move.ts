// The program of an execution before its first move, while limits on its start delay it. It has no position yet, so it
// listens for nothing. Events that a state or node accepts are kept until then.
import { isBeforeFirstMove } from "#schema/key-limits/start-place.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Program } from "../program.ts";

/** The program that applies to the state now. */
export function programAt(program: Program, state: ExecutionState): Program {
  return isBeforeFirstMove(state) ? beforeFirstMove(program) : program;
}

function beforeFirstMove(whole: Program): Program {
  const { nodes: _nodes, undo: _undo, ticks: _ticks, ...core } = whole;
  const { eventTypes } = whole;
  const takesAny = eventTypes.includes("*");
  return {
    ...core,
    react: () => null,
    eventTiming: (_position, type) => (takesAny || eventTypes.includes(type) ? "later" : "unknown"),
    refusesEarly: false,
    waitsFor: () => [],
    listeners: () => [],
    whole,
  };
}
