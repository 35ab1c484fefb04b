// The first move of an execution: the start of its definition, or a restart at the place of an earlier execution.
import type { StartCommand } from "#schema/engine/input.ts";
import type { Trigger } from "#schema/engine/state.ts";
import type { Refused } from "../control.ts";
import { change, scopeFor, type Step } from "../current-step.ts";
import { applyMove } from "../drive.ts";
import { part } from "../../computing/work.ts";
import { refuseTakingUp } from "./taking-up.ts";

export function firstMove(step: Step, { restart, trigger }: Pick<StartCommand, "restart" | "trigger">): Refused {
  const { program, now } = step;
  const seen: Omit<Trigger, "seq"> = trigger ?? { message: null, previousState: null, currentState: "" };
  const given = [step.state.variables, scopeFor(step, seen), step.work, { now, planned: now }] as const;
  if (restart === undefined) {
    const begun = part(step.work, () => program.begin(...given));
    applyMove(step, begun, seen.message, seen.previousState, "start");
    if (trigger) change(step, { triggers: step.state.triggers.map(({ seq }) => ({ seq, ...trigger })) });
    return null;
  }
  const { execution, incarnation, from, made, position } = restart;
  const wrong = refuseTakingUp(program, position, from);
  if (wrong) return wrong;
  change(step, { restartOf: { execution, incarnation, from, made } });
  const begun = part(step.work, () => program.beginAt(from, position, ...given));
  applyMove(step, begun, null, null, "restart");
  return null;
}
