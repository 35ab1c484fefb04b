// Rescheduling by an operator: sets another instant for a waiting run or a timer. It keeps that instant when dates
// change.
import type { Command } from "#schema/engine/input.ts";
import { dueOf, handOn, type Run } from "#schema/engine/run.ts";
import type { Timer } from "#schema/engine/state.ts";
import { INSTANT_MS_MAX } from "#schema/limits/kernel.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";
import { actionOf, changeRun, change, iso, note, type Step } from "../current-step.ts";
import { wantedUntil } from "../lateness.ts";
import { noTimer } from "../run-now.ts";
import { findWaiting } from "./named-run.ts";
import { notApplicable } from "./standing.ts";

type Reschedule = Extract<Command, { kind: "reschedule" }>;

export function reschedule(step: Step, input: Reschedule): Refused {
  const { target, at } = input;
  const amiss = refuseInstant(step, at);
  if (amiss) return amiss;
  if ("timer" in target) {
    const timer = step.state.timers.find(({ id }) => id === target.timer);
    return timer === undefined ? refuse(noTimer(step, target.timer)) : moveTimer(step, timer, input);
  }
  const found = findWaiting(step, target.run, "rescheduled");
  return found.ok ? moveRun(step, found.run, input) : found;
}

function refuseInstant({ now }: Step, at: number): Refused {
  if (at > now && at <= INSTANT_MS_MAX) return null;
  const [message, hint] =
    at > now
      ? ["the time is later than the engine can schedule", `The latest instant is ${iso(INSTANT_MS_MAX)}.`]
      : [`the time is not in the future: it is now ${iso(now)}`, "To start it now, use run-now."];
  return refuse({ code: "invalid_input", message, errors: [{ pointer: "/at", code: "out_of_range", message, hint }] });
}

function moveTimer(step: Step, timer: Timer, { at, actor, reason }: Reschedule): null {
  const { planned: _planned, ...armed } = timer;
  // At the same index, because timers of one instant fire in the order of arming.
  const moved: Timer = { ...armed, at, rescheduled: true };
  change(step, { timers: step.state.timers.map((each) => (each === timer ? moved : each)) });
  step.armings += 1;
  step.moves.push({ timer: timer.id, from: timer.at, to: at });
  note(step, { kind: "rescheduled", timer: timer.id, from: timer.at, to: at, actor, reason });
  return null;
}

/** Lateness and later instants count from the new instant. */
function moveRun(step: Step, run: Run, { at, actor, reason }: Reschedule): Refused {
  if (run.status === "queued") {
    return notApplicable(`run ${run.id} is already queued`, "Hold it first, so that it is not sent.");
  }
  const planned: Run = { ...run, firstDueAt: at, planned: at };
  const latest = wantedUntil(step, planned, actionOf(step, run.action));
  if (latest < at) {
    const message = `the run expires at ${iso(latest)}, before that time`;
    return refuse({ code: "invalid_input", message, errors: [{ pointer: "/at", code: "out_of_range", message }] });
  }
  const held = handOn(run);
  const from = dueOf(run);
  changeRun(step, planned, {
    ...(held === null ? { dueAt: at, held: null } : { heldByHand: { ...held, dueAt: at } }),
    rescheduled: true,
  });
  step.moves.push({ timer: run.id, from, to: at });
  note(step, { kind: "rescheduled", run: run.id, from, to: at, actor, reason });
  return null;
}
