// Skips by an operator: a run that is not in progress, or a journey's node. With a result it counts as done; otherwise
// the program receives the skip as an event.
import type { Command } from "#schema/engine/input.ts";
import { isFinalRun, isHandled, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { announce, statusOf } from "../endings.ts";
import { standsStill } from "../conclude.ts";
import { refuseFault, type Refused } from "../control.ts";
import { change, changeRun, note, type Step } from "../current-step.ts";
import { drain } from "../drive.ts";
import { unheard } from "../retries/handled.ts";
import { after, findRun, inFlight } from "./named-run.ts";
import { awaitedBy, steerNode } from "./node.ts";
import { notApplicable } from "./standing.ts";

type Skip = Extract<Command, { kind: "skip" }>;

export const BY_HAND = "by_hand";

export function skip(step: Step, input: Skip): Refused {
  const { target } = input;
  if ("run" in target) {
    const found = findRun(step, target.run);
    return found.ok ? skipOne(step, found.run, input) : found;
  }
  const { node } = target;
  const busy = step.state.runs.find(({ action, status }) => action === node && status === "running");
  if (busy) return inFlight(busy, "skipped");
  const steered = steerNode(step, { kind: "skip", node, hasResult: input.result !== undefined }, () =>
    say(step, input, { node }),
  );
  if (steered === "run") return skipNewest(step, node, input);
  if (steered !== null) return steered;
  letLie(step, node);
  return settled(step);
}

/** A node is skipped through its run. */
function skipNewest(step: Step, node: string, input: Skip): Refused {
  const run = step.state.runs.findLast(({ action }) => action === node);
  if (run !== undefined) return skipOne(step, run, input, node);
  return notApplicable(`${node} has no run in progress`, "GET the execution shows its current position.");
}

function skipOne(step: Step, run: Run, input: Skip, node?: string): Refused {
  if (run.status === "running") return inFlight(run, "skipped");
  if (isHandled(run) || (isFinalRun(run.status) && !run.deadLetter)) return isOver(step, run);
  const { result } = input;
  say(step, input, { ...(node === undefined ? {} : { node }), run: run.id, action: run.action });
  const skipped = endRun(step, run, result === undefined ? {} : { result, assumed: true });
  if (result === undefined) announce(step, skipped, "skipped", { reason: BY_HAND });
  else {
    change(step, { lastAction: statusOf(skipped, run.claimedAt, { succeeded: true }) });
    announce(step, skipped, "ok", { result });
  }
  return settled(step);
}

function isOver(step: Step, run: Run): Refused {
  const isAwaited = awaitedBy(step, run.action) === run.id;
  const hint = isAwaited ? `It waits for an answer: complete or skip the node ${run.action}.` : after(run);
  return notApplicable(`run ${run.id} is ${isHandled(run) ? "handled" : run.status}: it cannot be skipped`, hint);
}

function endRun(step: Step, run: Run, given: Partial<Pick<Run, "result" | "assumed">>): Run {
  note(step, { kind: "run_skipped", run: run.id, action: run.action, reason: BY_HAND });
  return changeRun(step, run, {
    status: "skipped",
    reason: BY_HAND,
    finishedAt: step.now,
    dueAt: null,
    deadlineAt: null,
    deadLetter: false,
    ...unheard(run),
    ...given,
  });
}

/** Failures of a skipped node are archived. */
function letLie(step: Step, node: string): void {
  for (const run of step.state.runs) if (run.action === node && waitsForPerson(run)) endRun(step, run, {});
}

function say(
  step: Step,
  { result, actor, reason }: Skip,
  what: { node?: string; run?: string; action?: string },
): void {
  note(step, { kind: "skipped_by_hand", ...what, ...(result === undefined ? {} : { result }), actor, reason });
}

/** Refuses if the execution would get stuck and fail. */
function settled(step: Step): Refused {
  drain(step);
  const fault = refuseFault(step, "invalid_input", "it cannot be skipped");
  if (fault !== null || !standsStill(step)) return fault;
  return notApplicable(
    "the execution would be stuck, and fail, if this were skipped: nothing follows it",
    'Give its "result", or cancel the execution.',
  );
}
