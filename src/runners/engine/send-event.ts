// Send-event runner: sends an event to another execution of the same tenant. The event takes effect once per run,
// however often the run is retried.
import { RECEIPT_KEPT_MS } from "#schema/limits/executions.ts";
import { z } from "zod";
import { clientEventType } from "#schema/engine/event.ts";
import { executionIdText, sentEventId } from "#schema/ids.ts";
import { json } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { configurationFailure } from "../core/classify.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";

const sendConfig = z.strictObject({
  execution: executionIdText,
  type: clientEventType,
  payload: json.optional(),
  /** The event's id, by which the receiving execution detects repeats. Default: an id derived from the run. */
  eventId: sentEventId.optional(),
});
type SendConfig = z.infer<typeof sendConfig>;

export const sendEvent: Runner<SendConfig> = {
  type: "send_event",
  config: sendConfig,
  permissions: ["executions:send"],
  // The receiving execution detects a repeat for at least this long.
  repeats: { mode: "provider", windowMs: RECEIPT_KEPT_MS },
  timeoutMs: attemptMs.execution,
  retryPolicy: "default",
  lane: "queue",
  run: async ({ execution, type, payload = null, eventId = null }, context) => {
    const startedAt = context.now();
    if (context.engine === undefined) {
      const failure = configurationFailure("in this installation, actions cannot send events", "engine_missing");
      return failureOutcome(failure, { startedAt, endedAt: context.now() });
    }
    const sent = await context.engine.send({ execution, type, payload, eventId });
    const span = { startedAt, endedAt: context.now() };
    if (!sent.ok) return failureOutcome(sent.failure, span);
    const result = { execution, type };
    const events = [{ type: "event_sent", payload: { ...result, actionId: context.ticket.action } }];
    return successOutcome({ result, events }, span);
  },
};
