// What an execution wants done about its children: cancel one, or look whether one it waits for has ended. Owed until
// somebody says what came of it, and sent again with growing gaps until then. Twice is harmless.
import type { ChildDone, ChildErrand, OwnChild, OwnChildren } from "#schema/engine/child.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { RESEND_GAPS_MS } from "#schema/limits.ts";
import { CHILD_START_GRACE_MS } from "#schema/limits/children.ts";
import { change, note, type Step } from "../current-step.ts";
import { childrenOf, dropChildren, named, putChildren } from "./own-children.ts";
import { awaitedChildren } from "./parting.ts";

/** All that are owed now. One that may be starting is left until its run has ended: that has a deadline. */
export function childErrands(state: ExecutionState): readonly ChildErrand[] {
  const awaited = new Set(awaitedChildren(state));
  return childrenOf(state).flatMap((child): ChildErrand[] => {
    const { run, execution, stopping } = child;
    const isWanted = stopping !== undefined || awaited.has(child);
    if (!isWanted || isStarting(state, child)) return [];
    const reason = stopping?.reason ?? "";
    return [{ kind: stopping ? "cancel" : "look", run, execution, reason }];
  });
}

function isStarting({ runs }: ExecutionState, { run, execution }: OwnChild): boolean {
  const maker = runs.find(({ id }) => id === run);
  return execution === null && maker !== undefined && !isFinalRun(maker.status);
}

/** When they go out again; null while there are none. */
export function childErrandsAt({ children }: ExecutionState): number | null {
  if (!children || children.sentAt === null) return null;
  return children.sentAt + Number(RESEND_GAPS_MS[Math.min(children.resends, RESEND_GAPS_MS.length - 1)]); // in range
}

/** At the end of a step: what is new goes out at once. */
export function sendChildErrands(step: Step): void {
  const { children } = step.state;
  if (!children) return;
  const errands = childErrands(step.state);
  if (errands.length === 0) {
    if (children.sentAt !== null) change(step, { children: { ...children, sentAt: null, resends: 0 } });
    return;
  }
  const known = new Set(childErrands(step.before).map(nameOf));
  if (children.sentAt === null || errands.some((errand) => !known.has(nameOf(errand)))) send(step, children, 0);
}

/** The message may have been lost on its way, or the child's object could not be reached. */
export function resendChildErrands(step: Step): void {
  const { children } = step.state;
  const at = childErrandsAt(step.state);
  if (children && at !== null && at <= step.now) send(step, children, children.resends + 1);
}

function send(step: Step, children: OwnChildren, resends: number): void {
  change(step, { children: { ...children, sentAt: step.now, resends } });
  step.effects.push({ kind: "children" });
}

function nameOf({ kind, run }: ChildErrand): string {
  return `${kind}/${run}`;
}

/** What is not owed (any more) changes nothing, but for a child that has ended: that is so whoever asked. */
export function finishChildren(step: Step, done: readonly ChildDone[]): null {
  const before = childErrands(step.state).length;
  for (const each of done) finish(step, each);
  const { children } = step.state;
  const left = childErrands(step.state).length;
  // There were more than one message brings back.
  if (children && left > 0 && before - left >= done.length && left < before) send(step, children, 0);
  return null;
}

function finish(step: Step, { run, found, execution, at }: ChildDone): void {
  const child = childrenOf(step.state).find((each) => each.run === run);
  // One of the same run that was another execution's, with this one's id before it.
  const isOther = child?.execution != null && execution !== null && child.execution !== execution;
  if (!child || isOther) return;
  const which = child.execution ?? execution;
  if (found === "live") {
    if (which === child.execution) return;
    const known = { ...child, execution: which };
    note(step, { kind: "child_settled", ...named(known), found });
    putChildren(
      step,
      childrenOf(step.state).map((each) => (each === child ? known : each)),
    );
    return;
  }
  if (found === "canceled" && child.stopping === undefined) return;
  // One that is not there may still come to be, as long as an attempt might start it.
  if (found === "none" && which === null && at <= child.startBy + CHILD_START_GRACE_MS) return;
  dropChildren(step, (each) => each === child);
  note(step, { kind: "child_settled", ...named({ ...child, execution: which }), found });
}
