// Brings one thing forward, because a person says so: a waiting run, a timer, or an action that has no run yet.
import type { Command } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "./control.ts";
import { createRun } from "./runs.ts";
import { didYouMean } from "#schema/suggest.ts";
import { change, changeRun, note, remember, runOf, type Turn } from "./current-step.ts";

export function runNow(turn: Turn, { target, actor, reason }: Extract<Command, { kind: "runNow" }>): Refused {
  if (turn.state.status === "paused") {
    return refuse({ code: "execution_paused", message: "it is paused", hint: "Resume it first." });
  }
  const say = (id: string): void => note(turn, { kind: "run_brought_forward", run: id, actor, reason });
  if ("run" in target) return bringRun(turn, target.run, say);
  return "timer" in target ? bringTimer(turn, target.timer, say) : beginAction(turn, target.action, say);
}

type Say = (id: string) => void;

function bringRun(turn: Turn, id: string, say: Say): Refused {
  const run = runOf(turn, id);
  if (!run) return refuse({ code: "not_found", message: `there is no run ${id} in this execution` });
  if (run.status !== "scheduled" && run.status !== "retry") {
    const message = `run ${id} is ${run.status}: only a waiting run can be brought forward`;
    return refuse({ code: "run_not_startable", message });
  }
  say(id);
  changeRun(turn, run, { dueAt: turn.now });
  return null;
}

/** It fires before this turn is over, as if its time had come. */
function bringTimer(turn: Turn, id: string, say: Say): Refused {
  const timer = turn.state.timers.find((each) => each.id === id);
  if (!timer) return refuse({ code: "not_found", message: `there is no timer ${id} armed here` });
  say(id);
  change(turn, { timers: turn.state.timers.map((each) => (each === timer ? { ...timer, at: turn.now } : each)) });
  return null;
}

function beginAction(turn: Turn, id: string, say: Say): Refused {
  const action = turn.program.actions.get(id);
  if (!action) {
    const guess = didYouMean(id, [...turn.program.actions.keys()]);
    const message = `the definition has no action ${id}`;
    return refuse({ code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) });
  }
  say(id);
  const { delay: _delay, ...atOnce } = action;
  const problem = createRun(turn, atOnce, null, remember(turn, null, null));
  return problem === null ? null : refuse({ code: "limit_exceeded", message: problem });
}
