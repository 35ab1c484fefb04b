// The children of an execution that is canceled, fails or takes an exit: each is canceled too, released, or waited for,
// as chosen at its start or by the canceling client.
import type { ChildPolicy, Ending, OwnChild } from "#schema/engine/child.ts";
import type { Actor } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { change, iso, note, type Step } from "../current-step.ts";
import type { Refused } from "../control.ts";
import { withdrawTasks } from "../tasks/asked.ts";
import { childrenOf, dropChildren, forgetUnstarted, named, putChildren } from "./own-children.ts";

/** It makes no further progress, whatever its children do. */
export function isStopped({ status, ending, position }: ExecutionState): boolean {
  if (ending !== undefined || status === "canceled" || status === "failed") return true;
  return position.kind === "journey" && position.exit !== undefined;
}

/** Children that must end before the execution does. */
export function awaitedChildren(state: ExecutionState): readonly OwnChild[] {
  return isStopped(state) ? childrenOf(state).filter(({ stopping }) => stopping === undefined) : [];
}

/**
 * The execution only waits for children; or it is to be compensated, which must wait while a child may still be acting.
 */
export function holdItsEnd(state: ExecutionState): boolean {
  const { ending, position, runs } = state;
  if (ending !== undefined) return awaitedChildren(state).length > 0;
  if (position.kind !== "journey" || position.exit === undefined || !isAllOver(runs)) return false;
  const held = position.exit.compensates ? childrenOf(state) : awaitedChildren(state);
  return held.length > 0;
}

function isAllOver(runs: ExecutionState["runs"]): boolean {
  return runs.every(({ status }) => isFinalRun(status));
}

/** `instead`: overrides the policies chosen at the start. */
export function partFromChildren(step: Step, reason: string, instead?: ChildPolicy): void {
  const list = childrenOf(step.state)
    .filter(({ stopping }) => stopping === undefined)
    .map((child) => (instead === undefined ? child : { ...child, onCancel: instead }));
  if (list.length === 0) return;
  const stopped = list.filter(({ onCancel }) => onCancel === "cancel");
  const left = list.filter(({ onCancel }) => onCancel === "leave");
  const parted = new Map(list.map((child) => [child.run, child]));
  const stopping = { at: step.now, reason };
  putChildren(
    step,
    childrenOf(step.state).flatMap((child) => {
      const { onCancel, ...now } = parted.get(child.run) ?? child;
      if (onCancel === "leave" && child.stopping === undefined) return [];
      return [{ ...now, onCancel, ...(onCancel === "cancel" && !child.stopping ? { stopping } : {}) }];
    }),
  );
  if (stopped.length > 0) note(step, { kind: "children_stopped", reason, children: stopped.map(named) });
  if (left.length > 0) note(step, { kind: "children_left", reason, children: left.map(named) });
}

/** True if it must wait for children before it ends. From then on nothing else happens to it. */
export function endsLater(step: Step, ending: Ending, actor: Actor): boolean {
  const awaited = childrenOf(step.state).filter(({ stopping }) => stopping === undefined);
  if (awaited.length === 0) return false;
  const reason = ending.as === "canceled" ? ending.reason : ending.error.message;
  note(step, { kind: "ending", as: ending.as, actor, reason, children: awaited.map(named) });
  change(step, { status: "waiting", pausedAt: null, ending });
  withdrawTasks(step, () => true, `execution_${ending.as}`);
  return true;
}

export function refuseEnding({ as, at }: Ending): NonNullable<Refused> {
  const message = `the execution is ${as} since ${iso(at)}, and waits only for its children to end`;
  const hint = 'Cancel it with "children": "cancel" or "leave" to stop waiting for them.';
  return refuse({ code: "execution_final", message, hint });
}

/** At the end of a step. Also covers children that started while their parent was ending. */
export function settleChildren(step: Step): void {
  if (childrenOf(step.state).length === 0) return;
  forgetUnstarted(step);
  const { status } = step.state;
  const isOver = isFinalStatus(status);
  if (isStopped(step.state)) partFromChildren(step, isOver ? `execution_${status}` : "execution_ending");
  if (isOver) letGoOfRest(step);
}

/** Children continue after a normal end, and after an end that could not wait for them. */
function letGoOfRest(step: Step): void {
  const rest = childrenOf(step.state).filter(({ stopping }) => stopping === undefined);
  if (rest.length === 0) return;
  note(step, { kind: "children_left", reason: `execution_${step.state.status}`, children: rest.map(named) });
  dropChildren(step, ({ stopping }) => stopping === undefined);
}
