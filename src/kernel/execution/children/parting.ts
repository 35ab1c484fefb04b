// What becomes of children when the execution that has started them is canceled, fails or is left by an exit: each is
// canceled with it, left to itself or waited for, as was said when it was started, or by whoever cancels.
import type { ChildPolicy, Ending, OwnChild } from "#schema/engine/child.ts";
import type { Actor } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { change, iso, note, type Step } from "../current-step.ts";
import type { Refused } from "../control.ts";
import { withdrawTasks } from "../tasks/asked.ts";
import { childrenOf, dropChildren, forgetUnstarted, named, putChildren } from "./own-children.ts";

/** It goes no further, whatever its children do. */
export function isStopped({ status, ending, position }: ExecutionState): boolean {
  if (ending !== undefined || status === "canceled" || status === "failed") return true;
  return position.kind === "journey" && position.exit !== undefined;
}

/** Those that it does not end before. */
export function awaitedChildren(state: ExecutionState): readonly OwnChild[] {
  return isStopped(state) ? childrenOf(state).filter(({ stopping }) => stopping === undefined) : [];
}

/**
 * Nothing is left of it but children that it waits for; or it is to be taken back, and nothing is while a child may still be
 * doing it.
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

/** `instead`: whatever was said when they were started. */
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

/** It would be over, and waits for children: true. From then on nothing else happens to it. */
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

/** At the end of a step. What started late, as its parent was ending, has its part as well. */
export function settleChildren(step: Step): void {
  if (childrenOf(step.state).length === 0) return;
  forgetUnstarted(step);
  const { status } = step.state;
  const isOver = isFinalStatus(status);
  if (isStopped(step.state)) partFromChildren(step, isOver ? `execution_${status}` : "execution_ending");
  if (isOver) letGoOfRest(step);
}

/** Of what has ended by itself children go on; and so do those of what had to end without waiting for them. */
function letGoOfRest(step: Step): void {
  const rest = childrenOf(step.state).filter(({ stopping }) => stopping === undefined);
  if (rest.length === 0) return;
  note(step, { kind: "children_left", reason: `execution_${step.state.status}`, children: rest.map(named) });
  dropChildren(step, ({ stopping }) => stopping === undefined);
}
