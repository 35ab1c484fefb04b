// Children of an execution: lists the executions that its runs have started, and limits how deep they nest.
import { childPolicies, STARTING_TYPE, type ChildPolicy, type OwnChild, type Parent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run, type Ticket } from "#schema/engine/run.ts";
import { exitOf, type ExecutionState } from "#schema/engine/state.ts";
import type { NamedChild } from "#schema/family/entries.ts";
import { CHILDREN_OPEN_MAX, CHILD_DEPTH_MAX, RELAYS_MAX, RELAY_REST_MS } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import { isPlainObject } from "../../language/json-values.ts";
import type { RefusalOrNull } from "../control.ts";
import { actionOf, changeState, runOf, type Step } from "../current-step.ts";
import { timeoutOf } from "../attempts.ts";

export function childrenOf({ children }: Pick<ExecutionState, "children">): readonly OwnChild[] {
  return children ?? [];
}

export function putChildren(step: Step, list: readonly OwnChild[]): void {
  changeState(step, { children: list });
}

export function dropChildren(step: Step, which: (child: OwnChild) => boolean): void {
  const list = childrenOf(step.state);
  const kept = list.filter((child) => !which(child));
  if (kept.length < list.length) putChildren(step, kept);
}

/**
 * Records the child that this run may start from now on. Returns an error if the execution has too many children,
 * otherwise null.
 */
export function listExpectedChild(step: Step, run: Run, config: NonNullable<Run["config"]>): ActionError | null {
  const onCancel = isListedChild(step, run) ? policyOf(config) : null;
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
    const message = `the execution has ${list.length} children that have not ended; the limit is ${CHILDREN_OPEN_MAX} (CHILDREN_OPEN_MAX). Wait until some children have ended, or cancel some children, then retry`;
    return { type: "invalid_configuration", code: "children_full", message, retryable: false };
  }
  const { id, action } = run;
  putChildren(step, [...list, { run: id, action, onCancel, execution: null, startBy }]);
  return null;
}

/** Stores which execution the finished run has started as its child. */
export function storeStartedChild(step: Step, made: Run): void {
  const { id: run, action, config, result } = made;
  const execution = isPlainObject(result) ? result["execution"] : null;
  if (!isListedChild(step, made) || typeof execution !== "string") return;
  const list = childrenOf(step.state);
  const known = list.find((child) => child.run === run);
  const onCancel = known?.onCancel ?? (config === null ? null : policyOf(config));
  if (onCancel === null) return;
  const child = { ...(known ?? { run, action, onCancel, startBy: step.now }), execution };
  putChildren(step, [...list.filter((other) => other !== known), child]);
}

/** Removes a child from the list when the engine's event reports that the child has ended. */
export function removeEndedChild(step: Step, { source, type, payload }: EventMessage): void {
  if (source !== "execution" || !type.startsWith("child_") || !isPlainObject(payload)) return;
  const { run, execution } = payload;
  dropChildren(step, (child) => child.run === run && (child.execution === null || child.execution === execution));
}

/**
 * Removes children whose run failed without starting them: each attempt was refused with an error that proves that no
 * child exists.
 */
export function dropUnstartedChildren(step: Step): void {
  dropChildren(step, (child) => child.execution === null && wasRefused(runOf(step, child.run)));
}

function wasRefused(run: Run | undefined): boolean {
  if (run === undefined || run.status === "ok" || !isFinalRun(run.status)) return false;
  return run.attempts.every(({ error }) => error !== null && REFUSED.has(error.type) && error.effect !== "unknown");
}

/** Error codes that prove that no child exists: the start returns them before it creates the child. */
const REFUSED: ReadonlySet<string> = new Set(["invalid_configuration", "malformed_request", "not_found"]);

/**
 * True if the run's child is kept in the execution's list. The child that an undo starts is not kept, because the
 * journey has ended by then.
 */
function isListedChild({ state: { position } }: Step, { type }: Run): boolean {
  if (type !== STARTING_TYPE) return false;
  return exitOf(position)?.undoing === undefined;
}

export function namedChildOf({ run, action, execution }: OwnChild): NamedChild {
  return { run, action, execution };
}

/**
 * The policy that applies to the child when its parent is canceled. null if the parent neither waits for the child nor
 * cancels it; the child is then not recorded.
 */
function policyOf({ onCancel, wait }: NonNullable<Run["config"]>): ChildPolicy | null {
  const said = childPolicies.find((policy) => policy === onCancel);
  if (wait === true) return said ?? "cancel";
  return said === undefined || said === "leave" ? null : said;
}

/** The reference to its parent's run, which the child stores. */
export function parentOf(
  { execution, run, action, incarnation, nesting = {} }: Omit<Ticket, "config">,
  wait: boolean,
  now: number,
): Parent {
  const { depth = 0, relays = 0 } = nesting;
  const isRested = now - incarnation >= RELAY_REST_MS;
  const below = wait
    ? { depth: depth + 1, relays }
    : { waits: false as const, depth: 0, relays: isRested ? 0 : relays + 1 };
  return { execution, run, action, incarnation, ...below };
}

export function refuseNesting({ parent, notAfter, now }: StartCommand & { readonly now: number }): RefusalOrNull {
  const { depth = 0, relays = 0 } = parent ?? {};
  if (depth > CHILD_DEPTH_MAX) {
    const message = `the child would have ${depth} levels of waiting executions above it; the limit is ${CHILD_DEPTH_MAX} (CHILD_DEPTH_MAX)`;
    const hint =
      'Check whether the definition starts itself, directly or through another definition. Use fewer levels, or start the child with "wait": false.';
    return refuse({ code: "limit_exceeded", message, hint });
  }
  if (relays > RELAYS_MAX) {
    const message = `a chain has ${relays} executions, each started by the previous one within an hour; the limit is ${RELAYS_MAX} (RELAYS_MAX)`;
    const hint =
      "Check whether the definition starts itself endlessly. For repeated work, use a recurring action or a schedule.";
    return refuse({ code: "limit_exceeded", message, hint });
  }
  if (notAfter !== undefined && now > notAfter) {
    const message = `the attempt that starts the child ended at ${new Date(notAfter).toISOString()}, so the child is not started`;
    return refuse({ code: "unavailable", message });
  }
  return null;
}
