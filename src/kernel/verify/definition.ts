// All errors in a definition of the right shape, each with its JSON pointer and a hint.
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import { firstFindings } from "#schema/findings.ts";
import { limits } from "#schema/limits.ts";
import type { Finding } from "#schema/refusal.ts";
import { machineProgram } from "../programs/machine/machine.ts";
import { byteLength } from "../language/json-values.ts";
import { openWork } from "../computing/work.ts";
import { declaredFindings } from "./declared/declared.ts";
import { actionFindings } from "./actions.ts";
import { namedDelayFindings } from "./delays.ts";
import { finding } from "./finding.ts";
import { journeyFindings } from "./journey/journey.ts";
import { reconcilerFindings } from "./reconciler/reconciler.ts";
import { ruleAndNameFindings } from "./rules.ts";
import { stateFindings } from "./states.ts";

export function verify(definition: Definition): readonly Finding[] {
  return firstFindings(findingsOf(definition));
}

function findingsOf(definition: Definition): readonly Finding[] {
  const size = byteLength(JSON.stringify(definition));
  if (size > limits.definitionBytesMax) {
    return [
      finding(
        "",
        "limit_exceeded",
        `the definition takes ${size} bytes; the limit is ${limits.definitionBytesMax} (definitionBytesMax)`,
      ),
    ];
  }
  switch (definition.kind) {
    case "machine":
      return machineFindings(definition);
    case "journey":
      return journeyFindings(definition);
    case "reconciler":
      return reconcilerFindings(definition);
  }
}

function machineFindings(definition: MachineDefinition): readonly Finding[] {
  const found = [
    ...declaredFindings(definition),
    ...stateFindings(definition),
    ...namedDelayFindings(definition),
    ...ruleAndNameFindings(definition),
    ...actionFindings(definition),
  ];
  return found.length > 0 ? found : loopFindings(definition);
}

/**
 * A start with the default variables must reach a stable state, so that an endless `always` loop is an error and never
 * a hang.
 */
function loopFindings(definition: MachineDefinition): readonly Finding[] {
  const { variables = {} } = definition;
  const move = machineProgram(definition).begin(variables, { execution: { variables } }, openWork(), {
    now: 0,
    planned: 0,
  });
  if (move.ok || move.code === "rule_fault") return [];
  if (move.code === "too_costly") {
    const hint = "Reduce the input of its rules, or let events drive the automatic transitions.";
    return [finding("/states", "rule_too_costly", `the start of an execution fails: ${move.message}`, hint)];
  }
  return [
    finding("/states", "endless_loop", move.message, "Add a guard to one of the always transitions in the loop."),
  ];
}
