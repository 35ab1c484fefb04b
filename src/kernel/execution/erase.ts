// Erasure of an execution before its retention ends. It is refused in three cases. The execution is live, an attempt is
// in progress, or a recipient has not confirmed a message from the execution.
import type { Command } from "#schema/engine/input.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import { refuse } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { RefusalOrNull } from "./control.ts";
import { childrenOf } from "./children/children.ts";
import { outboxOf } from "./outbox/own-outbox.ts";
import { isUnresolved } from "./retries/redrive.ts";
import { putTasks } from "./tasks/open-tasks.ts";
import { changeState, addEntry, type Step } from "./current-step.ts";

/**
 * The recipient of each kind of message that must be confirmed before the erasure. Task updates are not listed, because
 * the erasure deletes the tasks too.
 */
const NOTIFIED: { readonly [kind in OutboxKind]?: (key: string) => string } = {
  child_ended: (parent) => `its parent ${parent}`,
  correlation_key: () => "the directory",
  subject_ended: (subject) => `its subject ${subject}`,
  start_place: () => "the limit on its start",
};

export function erase(step: Step, { actor, reason }: Extract<Command, { kind: "erase" }>): RefusalOrNull {
  const { status, runs } = step.state;
  if (!isFinalStatus(status)) return refuseLive(`its status is ${status}`, "Cancel the execution first.");
  const busy = runs.find((run) => !isFinalRun(run.status));
  if (busy) {
    const until = busy.deadlineAt === null ? "" : `, at ${new Date(busy.deadlineAt).toISOString()} at the latest`;
    return refuseLive(
      `run ${busy.id} of the execution has not ended`,
      `Erase the execution after the run has ended${until}.`,
    );
  }
  const [child] = childrenOf(step.state);
  if (child) {
    const which = child.execution ?? `the child that run ${child.run} may have started`;
    return refuseLive(`${which} has not confirmed its cancellation yet`, "Send the request again in a minute.");
  }
  const [unconfirmed] = outboxOf(step.state).flatMap(({ kind, key }) => NOTIFIED[kind]?.(key) ?? []);
  if (unconfirmed !== undefined)
    return refuseLive(
      `${unconfirmed} has not confirmed the end of this execution yet`,
      "Send the request again in a minute.",
    );
  addEntry(step, { kind: "erased", actor, reason });
  changeState(step, { retainUntil: step.now });
  if (step.state.tasks) putTasks(step, []);
  step.effects.push({ kind: "purge" });
  return null;
}

function refuseLive(why: string, hint: string): RefusalOrNull {
  return refuse({ code: "execution_live", message: `the execution cannot be erased: ${why}`, hint });
}

/** Deletes the history of an execution whose retention is over. Called at each tick. */
export function expireHistory({ state, before, now, effects }: Step): null {
  const { status, retainUntil, outbox = [], tasks = [], children = [] } = state;
  const isOwing = outbox.length > 0 || tasks.length > 0 || children.length > 0;
  const isOver = retainUntil !== null && retainUntil <= now && !isOwing && !isUnresolved(before);
  if (isOver && isFinalStatus(status)) effects.push({ kind: "purge" });
  return null;
}
