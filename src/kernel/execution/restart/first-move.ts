// The first move of an execution: at the beginning of its definition, or at the state or node where an earlier
// execution is restarted.
import type { StartCommand } from "#schema/engine/input.ts";
import { exitOf, type Position, type Trigger } from "#schema/engine/state.ts";
import type { RestartPoint } from "#schema/family/restart.ts";
import { refuse } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { runPart } from "../../computing/work.ts";
import type { Places, Program } from "../program.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeState, scopeFor, type Step } from "../current-step.ts";
import { applyMove } from "../drive.ts";

export function firstMove(step: Step, { restart, trigger }: Pick<StartCommand, "restart" | "trigger">): RefusalOrNull {
  const { program, now } = step;
  const seen: Omit<Trigger, "seq"> = trigger ?? { message: null, previousState: null, currentState: "" };
  const given = [step.state.variables, scopeFor(step, seen), step.work, { now, planned: now }] as const;
  if (restart === undefined) {
    const begun = runPart(step.work, () => program.begin(...given));
    applyMove(step, begun, seen.message, seen.previousState, "start");
    if (trigger) changeState(step, { triggers: step.state.triggers.map(({ seq }) => ({ seq, ...trigger })) });
    return null;
  }
  const { execution, incarnation, from, made, position } = restart;
  const wrong = refuseRestart(program, position, from);
  if (wrong) return wrong;
  changeState(step, { restartOf: { execution, incarnation, from, made } });
  const begun = runPart(step.work, () => program.beginAt(from, position, ...given));
  applyMove(step, begun, null, null, "restart");
  return null;
}

export function refuseRestart({ definition, places }: Program, position: Position, from: RestartPoint): RefusalOrNull {
  if (!places.hasPosition(position)) {
    const message = `this version of ${definition.name} is of another kind (machine, journey or reconciler) than the earlier execution`;
    return refuse({
      code: "verb_not_applicable",
      message,
      hint: 'Name another version in "version", or start a new execution.',
    });
  }
  if (exitOf(position)?.undoing !== undefined) {
    const message = "the journey has already undone its actions, so it cannot be restarted";
    return refuse({ code: "verb_not_applicable", message, hint: "Start a new execution: POST /v1/executions." });
  }
  return refusePlace(definition.name, places, from);
}

function refusePlace(
  definition: string,
  { field: wanted, names, excludes }: Places,
  from: RestartPoint,
): RefusalOrNull {
  const [field, name] = "state" in from ? (["state", from.state] as const) : (["node", from.node] as const);
  const pointer = `/from/${field}`;
  if (field !== wanted)
    return refuseField(
      pointer,
      "not_allowed",
      `the restart of an execution of ${definition} requires a ${wanted}`,
      `Send "from": {"${wanted}": …}.`,
    );
  const known = names();
  if (!known.includes(name)) {
    const guess = didYouMean(name, known);
    const hint = guess ? `Did you mean ${guess}?` : `Known names: ${known.slice(0, NAMED_MAX).join(", ")}.`;
    return refuseField(pointer, "not_found", `${definition} has no ${wanted} ${name}`, hint);
  }
  const type = excludes(name);
  if (type === null) return null;
  return refuseField(
    pointer,
    "not_allowed",
    `an execution cannot start at ${name}, because its type is ${type}`,
    "Choose another state or node.",
  );
}

const NAMED_MAX = 20;

function refuseField(pointer: string, code: string, message: string, hint: string): NonNullable<RefusalOrNull> {
  return refuse({ code: "invalid_input", message, hint, errors: [{ pointer, code, message, hint }] });
}
