// The placeholder program of an execution that cannot be stepped. The placeholder makes it possible to cancel the
// execution. Its state keeps only the execution's identity.
import type { Identity, QuarantineEntry } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { newState } from "../execution/new-state.ts";
import type { Program } from "../execution/program.ts";
import { machineProgram } from "./machine/machine.ts";

const STATE = "quarantined";
let program: Program | null = null;

export function placeholderProgram(): Program {
  program ??= machineProgram({ kind: "machine", name: "stand_in", initial: STATE, states: { [STATE]: {} } });
  return program;
}

export function placeholderState(
  execution: string,
  { seq, createdAt, parent, ...known }: Identity,
  { reason, since }: Pick<QuarantineEntry, "reason" | "since">,
): ExecutionState {
  const born = { execution, ...known, ...(parent ? { parent } : {}) };
  return {
    ...newState(born, {}, createdAt),
    status: "waiting",
    seq,
    position: { kind: "machine", value: STATE, history: {}, states: [STATE], done: false },
    standsIn: { reason, since },
  };
}
