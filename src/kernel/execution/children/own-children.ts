// The children of an execution, as its state lists them: from the moment a run may start one until the child has ended
// or is released. child-requests.ts has the messages about them.
import { childPolicies, STARTING_TYPE, type ChildPolicy, type OwnChild } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { NamedChild } from "#schema/family/entries.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { CHILDREN_OPEN_MAX } from "#schema/limits/children.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { timeoutOf } from "../lane.ts";
import { actionOf, change, runOf, type Step } from "../current-step.ts";

export function childrenOf({ children }: Pick<ExecutionState, "children">): readonly OwnChild[] {
  return children ?? [];
}

export function putChildren(step: Step, list: readonly OwnChild[]): void {
  change(step, { children: list });
}

export function dropChildren(step: Step, which: (child: OwnChild) => boolean): void {
  const list = childrenOf(step.state);
  const kept = list.filter((child) => !which(child));
  if (kept.length < list.length) putChildren(step, kept);
}

/** From now on the run may start its child at any moment. Returns why it must not. */
export function expectChild(step: Step, run: Run, config: NonNullable<Run["config"]>): ActionError | null {
  const onCancel = isKept(step, run) ? policyOf(config) : null;
  if (onCancel === null) return null;
  const list = childrenOf(step.state);
  const startBy = step.now + timeoutOf(actionOf(step, run.action));
  if (list.some((child) => child.run === run.id)) {
    putChildren(
      step,
      list.map((child) => (child.run === run.id ? { ...child, startBy } : child)),
    );
    return null;
  }
  if (list.length >= CHILDREN_OPEN_MAX) {
    const message = `${list.length} of its children have not ended; the limit is ${CHILDREN_OPEN_MAX} (CHILDREN_OPEN_MAX). Wait until some have ended, or cancel them, then retry`;
    return { type: "invalid_configuration", code: "children_full", message, retryable: false };
  }
  const { id, action } = run;
  putChildren(step, [...list, { run: id, action, onCancel, execution: null, startBy }]);
  return null;
}

/** The run has reported which execution it started. */
export function noteChild(step: Step, made: Run): void {
  const { id: run, action, config, result } = made;
  const execution = isPlainObject(result) ? result["execution"] : null;
  if (!isKept(step, made) || typeof execution !== "string") return;
  const list = childrenOf(step.state);
  const known = list.find((child) => child.run === run);
  const onCancel = known?.onCancel ?? (config === null ? null : policyOf(config));
  if (onCancel === null) return;
  const child = { ...(known ?? { run, action, onCancel, startBy: step.now }), execution };
  putChildren(step, [...list.filter((other) => other !== known), child]);
}

/** The engine's message that a child has ended. */
export function endChild(step: Step, { source, type, payload }: EventMessage): void {
  if (source !== "execution" || !type.startsWith("child_") || !isPlainObject(payload)) return;
  const { run, execution } = payload;
  dropChildren(step, (child) => child.run === run && (child.execution === null || child.execution === execution));
}

/** Every attempt was refused with certainty, so no child exists or will exist. */
export function forgetUnstarted(step: Step): void {
  dropChildren(step, (child) => child.execution === null && wasRefused(runOf(step, child.run)));
}

function wasRefused(run: Run | undefined): boolean {
  if (run === undefined || run.status === "ok" || !isFinalRun(run.status)) return false;
  return run.attempts.every(({ error }) => error !== null && REFUSED.has(error.type) && error.effect !== "unknown");
}

/** Errors that were returned before the child could be started. */
const REFUSED: ReadonlySet<string> = new Set(["invalid_configuration", "malformed_request", "not_found"]);

/** An undo continues after its journey has ended. */
function isKept({ state: { position } }: Step, { type }: Run): boolean {
  if (type !== STARTING_TYPE) return false;
  return position.kind !== "journey" || position.exit?.undoing === undefined;
}

export function named({ run, action, execution }: OwnChild): NamedChild {
  return { run, action, execution };
}

/** null if neither depends on the other. */
function policyOf({ onCancel, wait }: NonNullable<Run["config"]>): ChildPolicy | null {
  const said = childPolicies.find((policy) => policy === onCancel);
  if (wait === true) return said ?? "cancel";
  return said === undefined || said === "leave" ? null : said;
}
