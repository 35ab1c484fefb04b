// Holds by an operator: suspends one run and releases it. Meanwhile it has no instant and no slot, and waits only for
// the release; the rest of the execution continues.
import type { Command } from "#schema/engine/input.ts";
import { handOn, type HeldByHand } from "#schema/engine/run.ts";
import type { Refused } from "../control.ts";
import { changeRun, iso, note, type Step } from "../current-step.ts";
import { findWaiting } from "./named-run.ts";
import { notApplicable } from "./standing.ts";

type Of<Kind extends "hold" | "release"> = Extract<Command, { kind: Kind }>;

/** A queued run has not started: its message will find nothing to claim. A run in backoff waits again. */
export function holdOne(step: Step, { run: id, actor, reason }: Of<"hold">): Refused {
  const found = findWaiting(step, id, "held");
  if (!found.ok) return found;
  const { run } = found;
  const since = handOn(run)?.since;
  if (since !== undefined)
    return notApplicable(`run ${id} is already held, since ${iso(since)}`, "To resume it, release it.");
  const isSent = run.status === "queued";
  const heldByHand: HeldByHand = { since: step.now, dueAt: isSent ? step.now : run.dueAt, actor, reason };
  const unsent = isSent ? { attempt: run.attempt - 1 } : {};
  const waiting = { status: "scheduled", dueAt: null, lane: null, sentAt: null, held: null, ...unsent } as const;
  changeRun(step, run, { ...waiting, heldByHand });
  note(step, { kind: "held_by_hand", run: id, action: run.action, actor, reason });
  return null;
}

/** It keeps its due instant, and starts at once if that is past. */
export function release(step: Step, { run: id, actor, reason }: Of<"release">): Refused {
  const found = findWaiting(step, id, "released");
  if (!found.ok) return found;
  const { run } = found;
  const held = handOn(run);
  if (held === null) {
    return notApplicable(
      `run ${id} is not held by an operator: it is ${run.status}`,
      "To keep a run from starting, hold it; to start it at once, use run-now.",
    );
  }
  const { dueAt } = held;
  changeRun(step, run, { dueAt, heldByHand: null });
  note(step, { kind: "released", run: id, action: run.action, dueAt, actor, reason });
  return null;
}
