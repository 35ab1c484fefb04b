// Reports about messages in reconcilers: the latest report about a run's message is part of the status of the action, so
// that the rules can react to it.
import { isReportEvent, type EventMessage } from "#schema/engine/event.ts";
import type { RunReport } from "#schema/reports/run-report.ts";
import type { Json } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { changeRun, type Step } from "../current-step.ts";

/** Records the report of the event in its run. An earlier report than the recorded one changes nothing. */
export function recordReport(step: Step, { type, payload }: EventMessage): void {
  if (step.program.ticks === undefined || !isReportEvent(type)) return;
  const text = (field: string): string | null => textOf(payload, field);
  const run = step.state.runs.find(({ id }) => id === text("run"));
  if (run === undefined) return;
  const report: RunReport = {
    event: type,
    type: text("type"),
    at: text("at"),
    code: text("code"),
    reason: text("reason"),
  };
  if ((report.at ?? "") >= (run.report?.at ?? "")) changeRun(step, run, { report });
}

function textOf(payload: Json, field: string): string | null {
  const value = isPlainObject(payload) ? payload[field] : null;
  return typeof value === "string" ? value : null;
}
