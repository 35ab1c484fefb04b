// The run that a verb names, and why the verb does not apply to it.
import { refuse } from "#schema/refusal.ts";
import { isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { Refused } from "../control.ts";
import { iso, runOf, type Step } from "../current-step.ts";
import { overdueAt } from "../waited-until.ts";
import { notApplicable } from "./standing.ts";

type Found = { readonly ok: true; readonly run: Run } | Exclude<Refused, null>;

export function findRun(step: Step, id: string): Found {
  const run = runOf(step, id);
  if (run) return { ok: true, run };
  const hint = `GET /v1/executions/${step.state.id}/runs lists the stored runs.`;
  return refuse({ code: "not_found", message: `the execution has no run ${id}`, hint });
}

/** A run that has not ended and is not in progress. `done`: the verb as a participle. */
export function findWaiting(step: Step, id: string, done: string): Found {
  const found = findRun(step, id);
  if (!found.ok) return found;
  return refuseBusy(found.run, done) ?? found;
}

function refuseBusy(run: Run, done: string): Exclude<Refused, null> | null {
  if (run.status === "running") return inFlight(run, done);
  return isFinalRun(run.status)
    ? notApplicable(`run ${run.id} is ${run.status}: it cannot be ${done}`, after(run))
    : null;
}

export function inFlight(run: Run, done: string): Exclude<Refused, null> {
  const message = `run ${run.id} is in flight and may take effect at any moment, so it cannot be ${done}`;
  return notApplicable(
    message,
    `Wait for its outcome, until ${iso(overdueAt(run))} at the latest, or cancel the execution.`,
  );
}

/** The hint about a run that has ended. */
export function after(run: Run): string {
  if (isHandled(run)) return "Its failure is handled: archive it, or retry it with force.";
  if (run.deadLetter) return "It is a dead letter: retry, skip or archive it.";
  return "It has ended; run-now starts its action again.";
}
