// Run-now: an operator starts one thing early: a waiting run, a timer, or an action without a run.
import type { Command } from "#schema/engine/input.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import type { Refused } from "./control.ts";
import { plannedFor } from "#schema/engine/run.ts";
import { refuseBusy } from "./reconciling/one-action.ts";
import { createRun } from "./runs.ts";
import { didYouMean } from "#schema/suggest.ts";
import { change, changeRun, note, remember, runOf, type Step } from "./current-step.ts";

/** A state may arm hundreds. */
const ARMED_SHOWN_MAX = 20;

export function runNow(step: Step, { target, actor, reason }: Extract<Command, { kind: "runNow" }>): Refused {
  if (step.state.status === "paused") {
    return refuse({ code: "execution_paused", message: "the execution is paused", hint: "Resume it first." });
  }
  const say = (id: string): void => note(step, { kind: "run_brought_forward", run: id, actor, reason });
  if ("run" in target) return bringRun(step, target.run, say);
  return "timer" in target ? bringTimer(step, target.timer, say) : beginAction(step, target.action, say);
}

type Say = (id: string) => void;

function bringRun(step: Step, id: string, say: Say): Refused {
  const run = runOf(step, id);
  if (!run) return refuse({ code: "not_found", message: `the execution has no run ${id}` });
  if (run.status !== "scheduled" && run.status !== "retry") {
    const message = `run ${id} is ${run.status}: only a waiting run can be started early`;
    return refuse({ code: "run_not_startable", message });
  }
  say(id);
  // Later instants count from now, unless the run was already late.
  const planned = Math.min(plannedFor(run) ?? step.now, step.now);
  // An operator who starts a run that its window holds overrides the window.
  const hours = run.held?.reason === "window" ? { atAnyHour: true as const } : {};
  const free = run.heldByHand ? { heldByHand: null } : {};
  changeRun(step, run, { dueAt: step.now, planned, broughtForward: true, ...hours, ...free });
  return null;
}

/** It fires within this step, as if its instant had come. */
function bringTimer(step: Step, id: string, say: Say): Refused {
  const timer = step.state.timers.find((each) => each.id === id);
  if (!timer) return refuse(noTimer(step, id));
  say(id);
  change(step, { timers: step.state.timers.map((each) => (each === timer ? { ...timer, at: step.now } : each)) });
  return null;
}

export function noTimer({ state }: Step, id: string): Refusal {
  const armed = state.timers.map((each) => each.id);
  const guess = didYouMean(id, armed);
  const shown = armed.slice(0, ARMED_SHOWN_MAX).join(", ");
  const hint = guess ? `Did you mean ${guess}? ` : "";
  const all = armed.length > ARMED_SHOWN_MAX ? `${shown}, and ${armed.length - ARMED_SHOWN_MAX} more` : shown;
  return {
    code: "not_found",
    message: `the execution has no armed timer ${id}`,
    hint: `${hint}Armed timers: ${all || "none"}.`,
  };
}

function beginAction(step: Step, id: string, say: Say): Refused {
  const action = step.program.actions.get(id);
  if (!action) {
    const guess = didYouMean(id, [...step.program.actions.keys()]);
    const message = `the definition has no action ${id}`;
    return refuse({ code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) });
  }
  const busy = refuseBusy(step);
  if (busy) return busy;
  say(id);
  const { delay: _delay, ...atOnce } = action;
  const problem = createRun(step, atOnce, null, remember(step, null, null));
  return problem === null ? null : refuse({ code: "limit_exceeded", message: problem });
}
