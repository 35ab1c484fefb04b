// An action that the earlier execution has carried out: its run ends as it is made, with what that one came to, and the
// program hears what it would have heard then. Each is taken over once.
import type { MadeEffect } from "#schema/family/restart.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";
import { announce, emit } from "../announce.ts";
import { change, changeRun, note, type Step } from "../current-step.ts";
import { statusOf } from "../endings.ts";

/** What of the earlier execution is taken over. */
export type TakenOver = MadeEffect & { readonly execution: string };

/** null: the earlier one has not come to this, or it is to be done again. */
export function takeOver(step: Step, action: string, given: JsonObject | undefined): TakenOver | null {
  const { restartOf } = step.state;
  const found = restartOf?.made.find(
    (made) => made.action === action && (made.index === undefined || made.index === given?.["index"]),
  );
  if (!restartOf || !found) return null;
  change(step, { restartOf: { ...restartOf, made: restartOf.made.filter((made) => made !== found) } });
  return { ...found, execution: restartOf.execution };
}

export function passOver(step: Step, run: Run, { execution, run: earlier, heard, ...made }: TakenOver): void {
  const { result, events, at } = made;
  const ended = { finishedAt: step.now, dueAt: null };
  const done = changeRun(step, run, { status: "ok", result, reason: PASSED_OVER, ...ended });
  const { id, action } = done;
  const outcome: Outcome = { ok: true, result, events, startedAt: at, endedAt: at };
  const told = heard ? { heard } : {};
  change(step, { lastAction: statusOf(done, null, { succeeded: true }) });
  note(step, { kind: "run_passed_over", run: id, action, of: { execution, run: earlier }, outcome, ...told });
  for (const { type, payload } of events) emit(step, done, type, payload);
  announce(step, done, "ok", { result });
  // What was said to the earlier run is said to this one.
  if (heard) emit(step, done, heard.type, { ...heard.payload, run: id });
}

const PASSED_OVER = "made_before";
