// What people and programs outside may ask of a live execution, one verb a function. Each returns a refusal or null.
import type { Command, RunNowTarget } from "#schema/input.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { cancelRuns } from "./endings.ts";
import { feed } from "./drive.ts";
import { PATCHED } from "./program.ts";
import { createRun, moveRuns } from "./runs.ts";
import { didYouMean } from "#schema/suggest.ts";
import { disarm, moveTimers } from "./timers.ts";
import { change, changeRun, note, remember, type Turn } from "./turn.ts";

type Refused = { readonly ok: false; readonly refusal: Refusal } | null;
type Of<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/** Early events wait, late and unknown ones are refused with the reason: nothing is dropped silently. */
export function receive(turn: Turn, { event, actor }: Of<"event">): Refused {
  const { state, program } = turn;
  const hold = (reason: string): Refused => {
    if (state.buffer.length >= limits.eventsBufferedMax) {
      const message = `${state.buffer.length} events wait already; the limit is ${limits.eventsBufferedMax} (eventsBufferedMax)`;
      return refuse({ code: "event_buffer_full", message, hint: "Resume the execution, or bring it to the state they wait for." });
    }
    change(turn, { buffer: [...state.buffer, { message: event, origin: "outside" }] });
    note(turn, { kind: "event_buffered", event, reason, actor });
    return null;
  };
  const outlook = program.outlook(state.position, event.type);
  switch (outlook) {
    case "unknown": {
      const guess = didYouMean(event.type, program.eventTypes);
      const hint = guess ? `Did you mean ${guess}?` : `It listens for: ${program.eventTypes.join(", ") || "nothing"}.`;
      return refuse({ code: "event_unknown", message: `no state of this definition listens for ${event.type}`, hint });
    }
    case "late":
      return refuse({
        code: "event_too_late",
        message: `the states that listen for ${event.type} are behind; it now stands in ${state.position.states.join(", ")}`,
      });
    case "later":
      return hold(state.status === "paused" ? "paused" : "early");
    case "now": {
      if (state.status === "paused") return hold("paused");
      note(turn, { kind: "event_received", event, actor });
      if (feed(turn, event.type, event)) return null;
      return refuse({
        code: "event_not_accepted",
        message: `no guard lets ${event.type} pass in ${state.position.states.join(", ")}`,
        hint: "GET the execution to see the variables its guards look at.",
      });
    }
  }
}

/** JSON merge patch: null removes. Timers and runs that hang on a variable move, and the moves are reported. */
export function patch(turn: Turn, { variables, actor, reason }: Of<"patch">): Refused {
  const patched = merge(turn.state.variables, variables) as JsonObject; // an object patched by an object is one
  const size = JSON.stringify(patched).length;
  if (size > limits.variablesBytesMax) {
    const message = `variables would take ${size} bytes; the limit is ${limits.variablesBytesMax} (variablesBytesMax)`;
    return refuse({ code: "limit_exceeded", message, errors: [{ pointer: "/variables", code: "too_large", message }] });
  }
  change(turn, { variables: patched });
  const problem = moveTimers(turn);
  if (problem !== null) {
    const errors = [{ pointer: "/variables", code: "invalid_anchor", message: problem }];
    return refuse({ code: "invalid_input", message: `a timer could not be moved: ${problem}`, errors });
  }
  moveRuns(turn);
  note(turn, { kind: "patched", variables, moves: [...turn.moves], actor, reason });
  if (turn.state.status !== "paused") feed(turn, PATCHED, null);
  return null;
}

/** Holds: attempts in flight finish, nothing new goes out, timers keep their instants, events wait. */
export function pause(turn: Turn, actor: Of<"pause">["actor"], reason: string | null): Refused {
  if (turn.state.status === "paused") return refuse({ code: "execution_paused", message: "it is paused already" });
  change(turn, { status: "paused", pausedAt: turn.now, reason });
  for (const run of turn.state.runs) {
    if (run.status !== "queued") continue;
    // Its message may still arrive and will find nothing to claim; on resume the same attempt goes out again.
    const status = run.attempt > 1 ? "retry" : "scheduled";
    changeRun(turn, run, { status, attempt: run.attempt - 1, dueAt: turn.now, sentAt: null, resends: 0 });
  }
  note(turn, { kind: "paused", actor, reason });
  return null;
}

export function resume(turn: Turn, { actor, reason }: Of<"resume">): Refused {
  if (turn.state.status !== "paused") {
    return refuse({ code: "execution_not_paused", message: `it is ${turn.state.status}: there is nothing to resume` });
  }
  change(turn, { status: "active", pausedAt: null, reason: null, error: null });
  note(turn, { kind: "resumed", actor, reason });
  return null;
}

/** Always succeeds on a live execution. What is in flight finishes, and its outcome is recorded. */
export function cancel(turn: Turn, { actor, reason }: Of<"cancel">): Refused {
  note(turn, { kind: "canceled", actor, reason });
  change(turn, { status: "canceled", reason });
  clear(turn, "execution_canceled");
  return null;
}

/** Brings one thing forward: a waiting run, a timer, or an action that has no run yet. */
export function runNow(turn: Turn, { target, actor, reason }: Of<"runNow">): Refused {
  if (turn.state.status === "paused") {
    return refuse({ code: "execution_paused", message: "it is paused", hint: "Resume it first." });
  }
  return bringForward(turn, target, (id) => note(turn, { kind: "run_brought_forward", run: id, actor, reason }));
}

function bringForward(turn: Turn, target: RunNowTarget, say: (id: string) => void): Refused {
  if ("run" in target) {
    const run = turn.state.runs.find(({ id }) => id === target.run);
    if (!run) return refuse({ code: "not_found", message: `there is no run ${target.run} in this execution` });
    if (run.status !== "scheduled" && run.status !== "retry") {
      return refuse({ code: "run_not_startable", message: `run ${run.id} is ${run.status}: only a waiting run can be brought forward` });
    }
    say(run.id);
    changeRun(turn, run, { dueAt: turn.now });
    return null;
  }
  if ("timer" in target) {
    const timer = turn.state.timers.find(({ id }) => id === target.timer);
    if (!timer) return refuse({ code: "not_found", message: `there is no timer ${target.timer} armed here` });
    say(timer.id);
    change(turn, { timers: turn.state.timers.map((each) => (each === timer ? { ...timer, at: turn.now } : each)) });
    return null;
  }
  const action = turn.program.actions.get(target.action);
  if (!action) {
    const guess = didYouMean(target.action, [...turn.program.actions.keys()]);
    const message = `the definition has no action ${target.action}`;
    return refuse({ code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) });
  }
  say(action.actionId);
  const { delay: _delay, ...atOnce } = action;
  const problem = createRun(turn, atOnce, null, remember(turn, null, null));
  return problem === null ? null : refuse({ code: "limit_exceeded", message: problem });
}

/** Ends what must not go on after a final status: unstarted runs, timers, waiting events. */
export function clear(turn: Turn, reason: string): void {
  cancelRuns(turn, () => true, reason);
  disarm(turn, () => false);
  for (const { message } of turn.state.buffer) {
    note(turn, { kind: "event_dropped", event: message.id, type: message.type, reason });
  }
  change(turn, { buffer: [] });
  turn.pending.length = 0;
}

function merge(before: Json | undefined, by: Json): Json {
  if (typeof by !== "object" || by === null || Array.isArray(by)) return by;
  const base = typeof before === "object" && before !== null && !Array.isArray(before) ? (before as JsonObject) : {};
  const out: { [key: string]: Json } = { ...base };
  for (const [key, value] of Object.entries(by as JsonObject)) {
    if (value === null) delete out[key];
    else out[key] = merge(out[key], value);
  }
  return out;
}

