// The requests that an execution sends about its children: cancel one, or check whether one that it waits for has ended.
import type { ChildRequest, ChildRequestResult, OwnChild } from "#schema/engine/child.ts";
import type { OutboxRef } from "#schema/engine/outbox.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { CHILD_START_GRACE_MS } from "#schema/limits/children.ts";
import { note, type Step } from "../current-step.ts";
import { childrenOf, dropChildren, named, putChildren } from "./own-children.ts";
import { awaitedChildren } from "./parting.ts";

/** All that are needed now. A child that its run may still start is left until the run has ended: that has a deadline. */
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

/** A result of what is not needed (any more) changes nothing. But that a child has ended counts, whether it was requested or not. */
export function finishChildRequest(step: Step, { run, found, execution, at }: OutboxRef & ChildRequestResult): void {
  const child = childrenOf(step.state).find((each) => each.run === run);
  // Another execution's child: one that had this id before started it under the same run.
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
  // An attempt that has not ended may still start it.
  if (found === "none" && started === null && at <= child.startBy + CHILD_START_GRACE_MS) return;
  dropChildren(step, (each) => each === child);
  note(step, { kind: "child_settled", ...named({ ...child, execution: started }), found });
}
