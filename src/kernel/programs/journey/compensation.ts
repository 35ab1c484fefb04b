// Compensation: after an exit that requests it, undoes the completed actions one by one, the last action first. The
// first undo starts when everything in progress has ended. An action with an unknown outcome is undone like a completed
// one.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import type { Run } from "#schema/engine/run.ts";
import { COMPENSATION_RESULTS_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { isInDoubt } from "../../execution/possible-repeats.ts";
import { byteLength } from "../../language/json-values.ts";
import { BYTES_PER_UNIT, charge } from "../../computing/work.ts";
import type { CompensationMove } from "../../execution/program.ts";
import type { ProgramCommand } from "../../execution/program-commands.ts";
import { undoActionId } from "./node-actions.ts";
import { markOf, putMark, resultFields, type Draft } from "./move-draft.ts";
import type { Plan, PlanNode } from "./journey-plan.ts";

/**
 * If a node's action has an undo, stores the action's result in the node's mark. The undo may read the result when the
 * run is no longer stored.
 */
export function keepResult(draft: Draft, { name, is }: PlanNode, mark: NodeMark): NodeMark {
  if (!("undo" in is.node) || is.node.undo === undefined) return mark;
  const { result } = resultFields(draft);
  const kept = Object.values(draft.nodes).flatMap((each) => (each.result == null ? [] : [each.result]));
  const bytes = byteLength(JSON.stringify([...kept, result]));
  charge(draft.work, bytes / BYTES_PER_UNIT);
  if (bytes <= COMPENSATION_RESULTS_BYTES_MAX) return putMark(draft, name, { ...mark, result });
  const entry = { kind: "result_not_kept", node: name, bytes: byteLength(JSON.stringify(result)) } as const;
  draft.commands.push({ kind: "say", entry });
  return mark;
}

export function nextCompensation(plan: Plan, position: JourneyPosition, runs: readonly Run[]): CompensationMove {
  const { exit } = position;
  if (exit?.compensates === undefined) return { kind: "over" };
  const { left, at } = exit.undoing ?? { left: nodesToUndo(plan, position, runs), at: null };
  if (at !== null && runs.findLast(({ action }) => action === undoActionId(at))?.deadLetter) return { kind: "stuck" };
  const [next, ...rest] = left;
  if (next === undefined) return { kind: "over" };
  const said: readonly ProgramCommand[] =
    exit.undoing === undefined ? [{ kind: "say", entry: { kind: "compensating", nodes: left } }] : [];
  const result = markOf(position, next).result ?? newestOf(runs, next)?.result ?? null;
  const act = { kind: "act", action: undoActionId(next), given: { node: { name: next, result } } } as const;
  const undoing = { left: rest, at: next };
  return { kind: "next", position: { ...position, exit: { ...exit, undoing } }, commands: [...said, act] };
}

/**
 * The nodes to undo, the last completed node first. Nodes whose action was in progress at the exit come before all
 * others.
 */
function nodesToUndo(plan: Plan, position: JourneyPosition, runs: readonly Run[]): readonly string[] {
  const done = [...plan.nodes.values()].flatMap(({ name, is }) => {
    if (!("undo" in is.node) || is.node.undo === undefined) return [];
    const [mark, run] = [markOf(position, name), newestOf(runs, name)];
    if (!hasActed(mark) && !mayHaveHadEffect(run)) return [];
    return [{ name, ended: mark.ended ?? Infinity, at: run?.finishedAt ?? 0 }];
  });
  return done.toSorted((a, b) => (a.ended === b.ended ? b.at - a.at : b.ended - a.ended)).map(({ name }) => name);
}

function hasActed({ status, awaits, each }: NodeMark): boolean {
  return awaits !== undefined || (each === undefined ? status === "done" : each.done > 0);
}

/** Whether the run of a node may have had an effect: it succeeded after the exit, or its outcome is unknown. */
function mayHaveHadEffect(run: Run | undefined): boolean {
  return run !== undefined && (run.status === "ok" || run.attempts.some(isInDoubt));
}

function newestOf(runs: readonly Run[], action: string): Run | undefined {
  return runs.findLast((run) => run.action === action);
}
