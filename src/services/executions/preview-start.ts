// Start preview: runs the kernel's steps of a start, or of the first claim, without storing an execution, and returns
// the result. No object is called.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { assert } from "#kernel/assert.ts";
import { programAt } from "#kernel/execution/limits/before-first-move.ts";
import type { Program } from "#kernel/execution/program.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { step } from "#kernel/execution/step.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { programOf } from "../definitions/program-of.ts";
import type { Deps } from "../deps.ts";

export function previewStart(deps: Pick<Deps, "now">, item: StartItem): Result<Reply> {
  const stamp = { now: deps.now(), room: DIRECT_IN_FLIGHT_MAX };
  const program = programFor(item);
  return answerOf(program, step(program, null, { ...item.command, ...stamp }));
}

/** Runs the step in which a runner claims the run of a started standalone action. This step renders the config. */
export function previewClaim(deps: Pick<Deps, "now">, item: StartItem, { state }: Reply): Result<Reply> {
  const program = programFor(item);
  const [run] = state.runs;
  assert(run, "a standalone action must have a run");
  const claim = { kind: "claim", inputId: "claim", run: run.id, attempt: run.attempt, lane: "queue" } as const;
  return answerOf(program, step(program, state, { ...claim, now: deps.now(), room: DIRECT_IN_FLIGHT_MAX }));
}

function answerOf(program: Program, stepped: ReturnType<typeof step>): Result<Reply> {
  if (!stepped.ok) return stepped;
  const { state, seq, moves, notMoved, cameBack, entries, effects } = stepped;
  const accepts = isFinalStatus(state.status) ? {} : { accepts: programAt(program, state).waitsFor(state.position) };
  return accept({ state, seq, repeated: false, moves, notMoved, cameBack, entries, effects, ...accepts });
}

function programFor({ command, definition }: StartItem): Program {
  return command.standalone ? oneActionProgram(command.standalone) : programOf(definition ?? "");
}
