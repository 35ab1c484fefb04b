// Children of an execution that ends early: decides whether each child is canceled, left or awaited, and which requests
// are sent to the children. Called when the parent is canceled, fails or exits.
import type { ChildPolicy, Ending, OwnChild, ChildRequest, ChildRequestResult } from "#schema/engine/child.ts";
import type { Actor } from "#schema/engine/input.ts";
import type { OutboxRef } from "#schema/engine/outbox.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { exitOf, isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { CHILD_START_GRACE_MS } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import { awaitedChildren, isStopped } from "../../waiting/ending-execution.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeState, iso, addEntry, type Step } from "../current-step.ts";
import { withdrawTasks } from "../tasks/open-tasks.ts";
import { childrenOf, dropChildren, dropUnstartedChildren, namedChildOf, putChildren } from "./children.ts";

/**
 * True if the execution waits for its children before it ends, or before it compensates. Compensation waits because a
 * child may still act.
 */
export function mustWaitForChildren(state: ExecutionState): boolean {
  const { ending, position, runs } = state;
  if (ending !== undefined) return awaitedChildren(state).length > 0;
  const exit = exitOf(position);
  if (exit === undefined || !haveAllEnded(runs)) return false;
  const held = exit.compensates ? childrenOf(state) : awaitedChildren(state);
  return held.length > 0;
}

function haveAllEnded(runs: ExecutionState["runs"]): boolean {
  return runs.every(({ status }) => isFinalRun(status));
}

/**
 * Applies the policy of each child when the parent ends: cancel the child, leave it, or wait for its end. `instead`:
 * one policy for all children, which replaces their own policies.
 */
export function applyChildPolicies(step: Step, reason: string, instead?: ChildPolicy): void {
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
  if (stopped.length > 0) addEntry(step, { kind: "children_stopped", reason, children: stopped.map(namedChildOf) });
  if (left.length > 0) addEntry(step, { kind: "children_left", reason, children: left.map(namedChildOf) });
}

/**
 * If children must end first, postpones the end of the execution and returns true. Until these children have ended, the
 * execution processes no event and starts no run.
 */
export function postponeEnd(step: Step, ending: Ending, actor: Actor): boolean {
  const awaited = childrenOf(step.state).filter(({ stopping }) => stopping === undefined);
  if (awaited.length === 0) return false;
  const reason = ending.as === "canceled" ? ending.reason : ending.error.message;
  addEntry(step, { kind: "ending", as: ending.as, actor, reason, children: awaited.map(namedChildOf) });
  changeState(step, { status: "waiting", pausedAt: null, ending });
  withdrawTasks(step, () => true, `execution_${ending.as}`);
  return true;
}

export function refuseEnding({ as, at }: Ending): NonNullable<RefusalOrNull> {
  const message = `the execution was ${as} at ${iso(at)}, and now only waits for the end of its children`;
  const hint = 'To stop waiting for the children, cancel the execution with "children": "cancel" or "leave".';
  return refuse({ code: "execution_final", message, hint });
}

/**
 * Called at the end of a step: removes children that never started, and stops the children of an ended execution. A
 * child that started while its parent was ending is stopped here too.
 */
export function settleChildren(step: Step): void {
  if (childrenOf(step.state).length === 0) return;
  dropUnstartedChildren(step);
  const { status } = step.state;
  const isOver = isFinalStatus(status);
  if (isStopped(step.state)) applyChildPolicies(step, isOver ? `execution_${status}` : "execution_ending");
  if (isOver) releaseOtherChildren(step);
}

/**
 * Removes children from the list of an ended execution if it does not cancel them. These children continue without a
 * parent.
 */
function releaseOtherChildren(step: Step): void {
  const rest = childrenOf(step.state).filter(({ stopping }) => stopping === undefined);
  if (rest.length === 0) return;
  addEntry(step, { kind: "children_left", reason: `execution_${step.state.status}`, children: rest.map(namedChildOf) });
  dropChildren(step, ({ stopping }) => stopping === undefined);
}

/**
 * All requests that must be sent to children now. A child whose run may still be starting it gets no request yet. The
 * run has a deadline, so the request is sent at the latest after that.
 */
export function childRequests(state: ExecutionState): readonly ChildRequest[] {
  const awaited = new Set(awaitedChildren(state));
  return childrenOf(state).flatMap((child): ChildRequest[] => {
    const { run, execution, stopping } = child;
    const isWanted = stopping !== undefined || awaited.has(child);
    if (!isWanted || isStarting(state, child)) return [];
    const kind = stopping ? "cancel" : "look";
    return [{ kind, key: childRequestKey(child), run, execution, reason: stopping?.reason ?? "" }];
  });
}

export function childRequestKey({ run, stopping }: Pick<OwnChild, "run" | "stopping">): string {
  return `${stopping ? "cancel" : "look"}/${run}`;
}

function isStarting({ runs }: ExecutionState, { run, execution }: OwnChild): boolean {
  const maker = runs.find(({ id }) => id === run);
  return execution === null && maker !== undefined && !isFinalRun(maker.status);
}

/**
 * Stores a child's answer to a request. If the request is no longer needed, the answer changes nothing, unless the
 * answer is that the child has ended.
 */
export function finishChildRequest(step: Step, { run, found, execution, at }: OutboxRef & ChildRequestResult): void {
  const child = childrenOf(step.state).find((each) => each.run === run);
  // True if the response is about the child of an earlier execution with the same id, whose run also had this id.
  const isOther = child?.execution != null && execution !== null && child.execution !== execution;
  if (!child || isOther) return;
  const started = child.execution ?? execution;
  if (found === "live") {
    if (started === child.execution) return;
    const known = { ...child, execution: started };
    addEntry(step, { kind: "child_settled", ...namedChildOf(known), found });
    putChildren(
      step,
      childrenOf(step.state).map((each) => (each === child ? known : each)),
    );
    return;
  }
  if (found === "canceled" && child.stopping === undefined) return;
  // An attempt in progress may still start the child. The answer "none" therefore counts only after a grace period.
  if (found === "none" && started === null && at <= child.startBy + CHILD_START_GRACE_MS) return;
  dropChildren(step, (each) => each === child);
  addEntry(step, { kind: "child_settled", ...namedChildOf({ ...child, execution: started }), found });
}
