// Lets go of an execution that has ended, before its retention is over, because a person says so. What still has
// somebody waiting for it stays: an attempt under way, and a parent that has not heard of the end.
import type { Command } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Refused } from "./control.ts";
import { childrenOf } from "./children/own-children.ts";
import { putTasks } from "./tasks/asked.ts";
import { change, note, type Step } from "./current-step.ts";

export function erase(step: Step, { actor, reason }: Extract<Command, { kind: "erase" }>): Refused {
  const { status, runs, owed, enlisting, subject } = step.state;
  if (!isFinalStatus(status)) return refuseLive(`it is ${status}`, "Cancel it first.");
  const busy = runs.find((run) => !isFinalRun(run.status));
  if (busy) {
    const until = busy.deadlineAt === null ? "" : `, at the latest at ${new Date(busy.deadlineAt).toISOString()}`;
    return refuseLive(`its run ${busy.id} has still to end`, `Erase it when the run has ended${until}.`);
  }
  if (owed) return refuseLive(`${owed.parent} has not heard of its end yet`, "Try again in a minute.");
  if (enlisting && enlisting.listed.length > 0)
    return refuseLive("the directory has not heard of its end yet", "Try again in a minute.");
  const [child] = childrenOf(step.state);
  if (child) {
    const which = child.execution ?? `the one that its run ${child.run} may have started`;
    return refuseLive(`its child ${which} has still to be canceled`, "Try again in a minute.");
  }
  if (subject?.sentAt) return refuseLive("its subject has not heard of its end yet", "Try again in a minute.");
  note(step, { kind: "erased", actor, reason });
  change(step, { retainUntil: step.now });
  // They are erased with it.
  if (step.state.tasks) putTasks(step, []);
  step.effects.push({ kind: "purge" });
  return null;
}

function refuseLive(why: string, hint: string): Refused {
  return refuse({ code: "execution_live", message: `it cannot be erased: ${why}`, hint });
}
