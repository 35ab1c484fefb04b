// The first move of an execution: where its definition begins, or at a place where an earlier execution is continued.
import type { Definition } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { Trigger, Position } from "#schema/engine/state.ts";
import type { Place } from "#schema/family/restart.ts";
import { refuse } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { part } from "../../computing/work.ts";
import { graphOf } from "../../programs/machine/graph.ts";
import { placesOf } from "../../programs/place-names.ts";
import type { Program } from "../program.ts";
import type { RefusalOrNull } from "../control.ts";
import { change, scopeFor, type Step } from "../current-step.ts";
import { applyMove } from "../drive.ts";

export function firstMove(step: Step, { restart, trigger }: Pick<StartCommand, "restart" | "trigger">): RefusalOrNull {
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

export function refuseTakingUp({ definition }: Program, position: Position, from: Place): RefusalOrNull {
  if (position.kind !== definition.kind) {
    const message = `the execution was a ${position.kind}, but ${definition.name} is a ${definition.kind} in this version`;
    return refuse({ code: "verb_not_applicable", message, hint: "Name another version, or start a new execution." });
  }
  if (position.kind === "journey" && position.exit?.undoing !== undefined) {
    const message = "the journey has undone its actions";
    return refuse({ code: "verb_not_applicable", message, hint: "Start a new execution: POST /v1/executions." });
  }
  return refusePlace(definition, from);
}

function refusePlace(definition: Definition, from: Place): RefusalOrNull {
  const [field, name] = "state" in from ? (["state", from.state] as const) : (["node", from.node] as const);
  const wanted = definition.kind === "journey" ? "node" : "state";
  const pointer = `/from/${field}`;
  if (field !== wanted)
    return no(pointer, "not_allowed", `a ${definition.kind} starts at a ${wanted}`, `Send {"${wanted}": …}.`);
  const places = placesOf(definition);
  if (!places.includes(name)) {
    const guess = didYouMean(name, places);
    const hint = guess ? `Did you mean ${guess}?` : `Known: ${places.slice(0, NAMED_MAX).join(", ")}.`;
    return no(pointer, "not_found", `${definition.name} has no ${wanted} ${name}`, hint);
  }
  const type = typeAt(definition, name);
  if (type === null) return null;
  return no(pointer, "not_allowed", `${name} is of type ${type}, which cannot be a start`, "Choose another one.");
}

const NAMED_MAX = 20;

/** The types that cannot be a start. */
function typeAt(definition: Definition, name: string): string | null {
  if (definition.kind === "journey") return null;
  const type = definition.kind === "machine" ? graphOf(definition).get(name)?.node.type : definition.states[name]?.type;
  return type === "final" || type === "history" ? type : null;
}

function no(pointer: string, code: string, message: string, hint: string): NonNullable<RefusalOrNull> {
  return refuse({ code: "invalid_input", message, hint, errors: [{ pointer, code, message, hint }] });
}
