// Start preview: runs the kernel's start step without storing an execution, and returns the result. No object is
// called.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Program } from "#kernel/execution/program.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { step } from "#kernel/execution/step.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { programOf } from "../definitions/program-of.ts";
import type { Deps } from "../deps.ts";

export function previewStart(deps: Pick<Deps, "now">, item: StartItem): Result<Reply> {
  const stamp = { now: deps.now(), room: DIRECT_IN_FLIGHT_MAX };
  const program = programFor(item);
  const stepped = step(program, null, { ...item.command, ...stamp });
  if (!stepped.ok) return stepped;
  const { state, seq, moves, notMoved, cameBack, entries, effects } = stepped;
  const accepts = isFinalStatus(state.status) ? {} : { accepts: program.waitsFor(state.position) };
  return accept({ state, seq, repeated: false, moves, notMoved, cameBack, entries, effects, ...accepts });
}

function programFor({ command, definition }: StartItem): Program {
  return command.standalone ? oneActionProgram(command.standalone) : programOf(definition ?? "");
}
