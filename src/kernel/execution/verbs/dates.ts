// Verbs of operators that change when a run starts: hold, release, reschedule and run now.
import type { Command } from "#schema/engine/input.ts";
import { currentHold, isFinalRun, type OperatorHold, dueOf, type Run, plannedFor } from "#schema/engine/run.ts";
import type { NodeStatus, Timer } from "#schema/engine/state.ts";
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeRun, iso, addEntry, type Step, actionOf, changeState, storeTrigger, runOf } from "../current-step.ts";
import { latestStart } from "../due/holds.ts";
import { refuseBusy } from "../reconciling/action-status.ts";
import { createRun } from "../runs.ts";
import { nodeOfMove } from "../timers.ts";
import { findWaiting, notApplicable } from "./target.ts";

type Of<Kind extends "hold" | "release"> = Extract<Command, { kind: Kind }>;

/**
 * Holds a waiting run. If the run's message is already queued, its claim will be refused. A run in backoff waits for
 * its retry again after the release.
 */
export function holdRun(step: Step, { run: id, actor, reason }: Of<"hold">): RefusalOrNull {
  const found = findWaiting(step, id, "held");
  if (!found.ok) return found;
  const { run } = found;
  const since = currentHold(run)?.since;
  if (since !== undefined)
    return notApplicable(
      `run ${id} has already been held since ${iso(since)}`,
      "To let the run continue, release the run.",
    );
  const isSent = run.status === "queued";
  const heldByHand: OperatorHold = { since: step.now, dueAt: isSent ? step.now : run.dueAt, actor, reason };
  const unsent = isSent ? { attempt: run.attempt - 1 } : {};
  const waiting = { status: "scheduled", dueAt: null, lane: null, sentAt: null, held: null, ...unsent } as const;
  changeRun(step, run, { ...waiting, heldByHand });
  addEntry(step, { kind: "held_by_operator", run: id, action: run.action, actor, reason });
  return null;
}

/** Releases a held run. The run keeps its due instant. If that instant is past, the run starts immediately. */
export function release(step: Step, { run: id, actor, reason }: Of<"release">): RefusalOrNull {
  const found = findWaiting(step, id, "released");
  if (!found.ok) return found;
  const { run } = found;
  const held = currentHold(run);
  if (held === null) {
    return notApplicable(
      `run ${id} is not held by an operator; its status is ${run.status}`,
      "To prevent a run from starting, use hold. To start a run immediately, use run-now.",
    );
  }
  const { dueAt } = held;
  changeRun(step, run, { dueAt, heldByHand: null });
  addEntry(step, { kind: "released", run: id, action: run.action, dueAt, actor, reason });
  return null;
}

type Reschedule = Extract<Command, { kind: "reschedule" }>;

export function reschedule(step: Step, input: Reschedule): RefusalOrNull {
  const { target, at } = input;
  const amiss = refuseInstant(step, at);
  if (amiss) return amiss;
  if ("timer" in target) {
    const timer = step.state.timers.find(({ id }) => id === target.timer);
    return timer === undefined ? refuse(unknownTimerRefusal(step, target.timer)) : rescheduleTimer(step, timer, input);
  }
  const found = findWaiting(step, target.run, "rescheduled");
  return found.ok ? rescheduleRun(step, found.run, input) : found;
}

function refuseInstant({ now }: Step, at: number): RefusalOrNull {
  if (at > now && at <= INSTANT_MS_MAX) return null;
  const [message, hint] =
    at > now
      ? [
          'the instant in "at" is later than the engine can schedule',
          `Choose an instant before ${iso(INSTANT_MS_MAX)}.`,
        ]
      : [
          `the instant in "at" is not in the future: the time is now ${iso(now)}`,
          "To start the run or timer now, use run-now.",
        ];
  return refuse({ code: "invalid_input", message, errors: [{ pointer: "/at", code: "out_of_range", message, hint }] });
}

function rescheduleTimer(step: Step, timer: Timer, { at, actor, reason }: Reschedule): null {
  const { planned: _planned, ...armed } = timer;
  // The timer keeps its index, because timers that are due at the same instant fire in the order of arming.
  const moved: Timer = { ...armed, at, rescheduled: true };
  changeState(step, { timers: step.state.timers.map((each) => (each === timer ? moved : each)) });
  step.armings += 1;
  step.moves.push({ timer: timer.id, ...nodeOfMove(step, timer.state), from: timer.at, to: at });
  addEntry(step, { kind: "rescheduled", timer: timer.id, from: timer.at, to: at, actor, reason });
  return null;
}

/** Reschedules a run. Its lateness counts from the new instant. Delays that count from this run do too. */
function rescheduleRun(step: Step, run: Run, { at, actor, reason }: Reschedule): RefusalOrNull {
  if (run.status === "queued") {
    return notApplicable(`run ${run.id} is already queued`, "Hold the run first, so that it is not sent.");
  }
  const planned: Run = { ...run, firstDueAt: at, planned: at };
  const latest = latestStart(step, planned, actionOf(step, run.action));
  if (latest < at) {
    const message = `the run expires at ${iso(latest)}, which is before the instant in "at"`;
    return refuse({ code: "invalid_input", message, errors: [{ pointer: "/at", code: "out_of_range", message }] });
  }
  const held = currentHold(run);
  const from = dueOf(run);
  changeRun(step, planned, {
    ...(held === null ? { dueAt: at, held: null } : { heldByHand: { ...held, dueAt: at } }),
    rescheduled: true,
  });
  step.moves.push({ timer: run.id, ...nodeOfMove(step, run.boundTo), from, to: at });
  addEntry(step, { kind: "rescheduled", run: run.id, from, to: at, actor, reason });
  return null;
}

/** The number of timers that a hint lists. The hint is limited, because a state may arm hundreds. */
const ARMED_SHOWN_MAX = 20;

export function runNow(step: Step, { target, actor, reason }: Extract<Command, { kind: "runNow" }>): RefusalOrNull {
  if (step.state.status === "paused") {
    return refuse({
      code: "execution_paused",
      message: "the execution is paused",
      hint: "Resume the execution first.",
    });
  }
  const say = (run?: string): void =>
    addEntry(step, { kind: "run_brought_forward", ...target, ...(run === undefined ? {} : { run }), actor, reason });
  if ("run" in target) return startRunEarly(step, target.run, say);
  return "timer" in target ? fireTimerEarly(step, target.timer, say) : startAction(step, target.action, say);
}

/** Writes the verb to the journal. `run`: the run that starts now, if the target does not name it. */
type RecordVerb = (run?: string) => void;

function startRunEarly(step: Step, id: string, say: RecordVerb): RefusalOrNull {
  const run = runOf(step, id);
  if (!run) return refuse({ code: "not_found", message: `the execution has no run ${id}` });
  if (run.status !== "scheduled" && run.status !== "retry") {
    const message = `run ${id} has the status ${run.status}: only a waiting run can be started early`;
    return refuse({ code: "run_not_startable", message });
  }
  say(id);
  // Delays after this run count from now, or from the run's planned instant if that is earlier.
  const planned = Math.min(plannedFor(run) ?? step.now, step.now);
  // If a closed window or quiet hours hold the run and an operator starts it, they no longer apply to this run.
  const isClosed = run.held?.reason === "window" || run.held?.reason === "quiet_hours";
  const hours = isClosed ? { atAnyHour: true as const } : {};
  const free = run.heldByHand ? { heldByHand: null } : {};
  changeRun(step, run, { dueAt: step.now, planned, broughtForward: true, ...hours, ...free });
  return null;
}

/** Makes a timer due now, so that it fires in this step. */
function fireTimerEarly(step: Step, id: string, say: RecordVerb): RefusalOrNull {
  const timer = step.state.timers.find((each) => each.id === id);
  if (!timer) return refuse(unknownTimerRefusal(step, id));
  say();
  changeState(step, { timers: step.state.timers.map((each) => (each === timer ? { ...timer, at: step.now } : each)) });
  return null;
}

export function unknownTimerRefusal({ state }: Step, id: string): Refusal {
  const armed = state.timers.map((each) => each.id);
  const guess = didYouMean(id, armed);
  const shown = armed.slice(0, ARMED_SHOWN_MAX).join(", ");
  const hint = guess ? `Did you mean ${guess}? ` : "";
  const all = armed.length > ARMED_SHOWN_MAX ? `${shown}, and ${armed.length - ARMED_SHOWN_MAX} more` : shown;
  return {
    code: "not_found",
    message: `the execution has no timer ${id} that is waiting`,
    hint: `${hint}Waiting timers: ${all || "none"}.`,
  };
}

function startAction(step: Step, id: string, say: RecordVerb): RefusalOrNull {
  const action = step.program.actions.get(id);
  const status = step.program.nodes?.statusOf(step.state.position, id) ?? null;
  if (!action) return refuseWithoutAction(step, id, status);
  const busy = refuseBusy(step);
  if (busy) return busy;
  const node = status === null ? { kind: "action" as const } : nodeTarget(step, id, status);
  if (node.kind === "run") return startRunEarly(step, node.run, say);
  if (node.kind === "refused") return node.refusal;
  say();
  const { delay: _delay, ...atOnce } = action;
  const problem = createRun(step, atOnce, null, storeTrigger(step, null, null));
  return problem === null ? null : refuse({ code: "limit_exceeded", message: problem });
}

/** The refusal of a name that is no action: the name of a journey's node without an action, or an unknown name. */
function refuseWithoutAction(step: Step, id: string, status: NodeStatus | null): RefusalOrNull {
  const fact = "has no action";
  if (status === null) return refuse(unknownActionRefusal(step, id));
  if (status === "waiting") return refuseWaitingNode(step, id, fact);
  const hint =
    status === "pending" ? "Run the nodes before it now." : "To begin at this node again, restart the execution.";
  return notApplicable(`the node ${id} ${fact}`, hint);
}

function unknownActionRefusal({ program }: Step, id: string): Refusal {
  const guess = didYouMean(id, [...program.actions.keys()]);
  const message = `the definition has no action ${id}`;
  return { code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) };
}

type NodeTarget =
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "refused"; readonly refusal: RefusalOrNull }
  | { readonly kind: "action" };

/**
 * The target that starts instead of a journey's action: the own run of its node, so that the action is not done twice.
 * The action is refused if its node was not reached, or if it is done and the node still waits.
 */
function nodeTarget(step: Step, id: string, status: NodeStatus): NodeTarget {
  const own = step.state.runs.filter((run) => run.boundTo === id && !isFinalRun(run.status));
  const run = own.find(({ status: each }) => each === "scheduled" || each === "retry") ?? own[0];
  if (run !== undefined) return { kind: "run", run: run.id };
  if (status === "waiting")
    return { kind: "refused", refusal: refuseWaitingNode(step, id, "is waiting after its action") };
  if (status !== "pending") return { kind: "action" };
  const hint =
    "Run the nodes before it now, or skip these nodes. To send the message beside the journey, call POST /v1/actions.";
  return { kind: "refused", refusal: notApplicable(`the journey has not reached the node ${id}`, hint) };
}

/** The refusal for a node that waits for its timer or for an event. The hint says how to end the wait. */
function refuseWaitingNode({ state, program }: Step, id: string, fact: string): RefusalOrNull {
  const timer = state.timers.find((each) => each.state === id);
  const started = timer === undefined ? [] : [`To end the wait now, start the timer ${timer.id} with run-now.`];
  const isTimedOnly = timer !== undefined && program.nodes?.isRepeated(id) === true;
  const answered = isTimedOnly ? [] : ["Send the event for which the node waits, or complete or skip the node."];
  return notApplicable(`the node ${id} ${fact}`, [...started, ...answered].join(" "));
}
