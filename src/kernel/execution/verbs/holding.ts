// Holds one run, because a person says so, and lets it go again. Meanwhile it has no instant of its own, keeps no slot, and
// waits for nothing but that person; the rest of its execution goes on.
import type { Command } from "#schema/engine/input.ts";
import { handOn, type HeldByHand } from "#schema/engine/run.ts";
import type { Refused } from "../control.ts";
import { changeRun, iso, note, type Step } from "../current-step.ts";
import { findWaiting } from "./named-run.ts";
import { notApplicable } from "./standing.ts";

type Of<Kind extends "hold" | "release"> = Extract<Command, { kind: Kind }>;

/** What is queued has not gone: its message will find nothing to claim. A run in backoff goes back in line. */
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

/** It goes when it would have gone: at once, where that is past. */
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
