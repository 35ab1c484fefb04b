// Failures for the tests of alerts, and the alert of their first group.
import { alertGroups } from "#policy/advice/alerts.ts";
import type { Failure } from "#schema/alert.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { alertMessage } from "#services/alerts/alert-message.ts";

export const AT = Date.UTC(2026, 10, 18, 12, 1, 5);
export const FIVE_MINUTES = 5 * 60_000;

export const run = (over: Partial<RunRow> = {}): RunRow => ({
  tenant: "acme",
  execution: "exe_1",
  id: "2.0",
  seq: 3,
  action: "charge",
  type: "webhook",
  status: "failed",
  attempt: 5,
  priority: 95,
  createdAt: AT,
  dueAt: null,
  finishedAt: AT,
  errorType: "authentication_failed",
  error: "HTTP 401",
  reason: null,
  deadLetter: true,
  costEstimate: null,
  namespace: "default",
  definition: "order",
  correlationId: "o-1",
  errorCode: "invalid_key",
  incarnation: AT,
  handled: false,
  ...over,
});
export const execution = (over: Partial<ExecutionRow>): ExecutionRow => ({
  tenant: "acme",
  id: "exe_1",
  createdAt: AT,
  seq: 3,
  namespace: "default",
  definitionId: "def_1",
  definitionName: "order",
  definitionVersion: 1,
  placement: "own",
  status: "failed",
  states: ["a"],
  correlationId: null,
  updatedAt: AT,
  finishedAt: AT,
  wakeAt: null,
  reason: null,
  error: "stuck: no way on",
  ...over,
});

export function message(failures: readonly Failure[], throttleMs = FIVE_MINUTES, publicUrl: string | null = null) {
  const [group] = alertGroups(failures, throttleMs);
  if (group === undefined) throw new Error("no failure, no alert");
  return alertMessage(group, { tenant: "acme", channel: "ops", test: false, publicUrl });
}
