// Applies a verb of an operator to one run, node, timer or wait.
import type { Command } from "#schema/engine/input.ts";
import type { RefusalOrNull } from "../control.ts";
import type { Step } from "../current-step.ts";
import { cancelAction } from "./cancel-action.ts";
import { holdRun, release, reschedule } from "./dates.ts";
import { complete } from "./outcomes.ts";

type Verb = Extract<Command, { kind: "cancelAction" | "reschedule" | "hold" | "release" | "complete" }>;

export function applyVerb(step: Step, verb: Verb): RefusalOrNull {
  switch (verb.kind) {
    case "cancelAction":
      return cancelAction(step, verb);
    case "reschedule":
      return reschedule(step, verb);
    case "hold":
      return holdRun(step, verb);
    case "release":
      return release(step, verb);
    case "complete":
      return complete(step, verb);
  }
}
