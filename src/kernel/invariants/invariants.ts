// Invariants of every step: of the resulting state, of what the step changed and of its effects. Tests and the
// simulator check them after every step. The running object checks them after some steps.
import type { Effect } from "#schema/engine/effect.ts";
import type { Input } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Program } from "../execution/program.ts";
import { reconcilerInvariants } from "./of-reconcilers.ts";
import { stateInvariants } from "./of-state.ts";
import { stepInvariants } from "./of-step.ts";

/** An accepted step: its input, the states before and after it, and its effects and entries. */
export type ObservedStep = {
  readonly program: Program;
  readonly before: ExecutionState | null;
  readonly input: Input;
  readonly state: ExecutionState;
  readonly effects: readonly Effect[];
  readonly entries: readonly JournalEntry[];
};

export const invariants: { readonly [name: string]: (judged: ObservedStep) => boolean } = {
  ...stateInvariants,
  ...reconcilerInvariants,
  ...stepInvariants,
};

/**
 * The names of the invariants that a step breaks. If the step left the state unchanged, the state is not checked again.
 */
export function brokenInvariants(judged: ObservedStep): readonly string[] {
  const asked = judged.state === judged.before ? stepInvariants : invariants;
  return Object.entries(asked)
    .filter(([, holds]) => !holds(judged))
    .map(([name]) => name);
}
