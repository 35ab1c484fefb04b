// Builds explanations for tests.
import { emptyPrediction } from "#kernel/explain/predict-next.ts";
import type { EvaluatedRule, Explanation } from "#schema/engine/explanation.ts";

export const T = Date.UTC(2026, 10, 18, 10);
export const of = { run: "3.0", action: "mail" };
export const no: EvaluatedRule = {
  at: "/x",
  rule: true,
  result: false,
  values: { "execution.variables.total": 40, "message.id": null },
};
export const error = { type: "service_unavailable", message: "503.", retryable: true };

export const empty: Explanation = {
  execution: "exe_1",
  definition: { id: "def_1", name: "order", version: 1 },
  status: "waiting",
  states: ["open"],
  asOf: T,
  ended: null,
  next: emptyPrediction("none"),
  or: [],
  waits: [],
  notNow: [],
  notDone: [],
  leftOut: { waits: 0, notNow: 0, notDone: 0 },
};
