// Decisions about dead letters: a journey that was paused by a failure continues when an operator has decided about all
// of its dead letters.
import type { Command } from "#schema/engine/input.ts";
import { waitsForPerson } from "#schema/engine/run.ts";
import { waitsForDecision } from "../../waiting/deadlines.ts";
import { passTime } from "../clock.ts";
import { resume, type RefusalOrNull } from "../control.ts";
import type { Step } from "../current-step.ts";
import { processPending } from "../drive.ts";
import { skip } from "../verbs/outcomes.ts";
import { archive, retry } from "./redrive.ts";

type Decision = Extract<Command, { kind: "retry" | "archive" | "skip" }>;

/** Retries, archives or skips. If this was the last open decision of a journey that a failure has paused, resumes it. */
export function decide(step: Step, decision: Decision): RefusalOrNull {
  const wasPaused = waitsForDecision(step.state);
  const refused = applyDecision(step, decision);
  if (refused || !wasPaused || step.state.runs.some(waitsForPerson)) return refused;
  // The event of the decision waits behind the events that arrived during the pause.
  processPending(step);
  return resume(step, decision) ?? passTime(step);
}

function applyDecision(step: Step, decision: Decision): RefusalOrNull {
  switch (decision.kind) {
    case "retry":
      return retry(step, decision);
    case "archive":
      return archive(step, decision);
    case "skip":
      return skip(step, decision);
  }
}
