// Child requests: the messages that an execution sends about its children, to cancel one, or to check whether one that
// it waits for has ended.
import type { ChildRequest, ChildRequestResult, OwnChild } from "#schema/engine/child.ts";
import type { OutboxRef } from "#schema/engine/outbox.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { CHILD_START_GRACE_MS } from "#schema/limits/children.ts";
import { note, type Step } from "../current-step.ts";
import { childrenOf, dropChildren, named, putChildren } from "./own-children.ts";
import { awaitedChildren } from "./parting.ts";

/**
 * All requests needed now. A child that its run may still start is skipped until the run has ended; the run has a
 * deadline.
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

/** The result of a request that is no longer needed changes nothing, except that the end of a child always counts. */
export function finishChildRequest(step: Step, { run, found, execution, at }: OutboxRef & ChildRequestResult): void {
  const child = childrenOf(step.state).find((each) => each.run === run);
  // The child belongs to an earlier execution with the same id, which started it by the same run.
  const isOther = child?.execution != null && execution !== null && child.execution !== execution;
  if (!child || isOther) return;
  const started = child.execution ?? execution;
  if (found === "live") {
    if (started === child.execution) return;
    const known = { ...child, execution: started };
    note(step, { kind: "child_settled", ...named(known), found });
    putChildren(
      step,
      childrenOf(step.state).map((each) => (each === child ? known : each)),
    );
    return;
  }
  if (found === "canceled" && child.stopping === undefined) return;
  // An attempt in progress may still start it.
  if (found === "none" && started === null && at <= child.startBy + CHILD_START_GRACE_MS) return;
  dropChildren(step, (each) => each === child);
  note(step, { kind: "child_settled", ...named({ ...child, execution: started }), found });
}
