// Delay runner: completes immediately. The execution waits before the run, through the action's `delay`, which is a
// durable timer. If the runner waited itself, the wait would be lost with its isolate.
import { z } from "zod";
import { attemptMs } from "#schema/defaults.ts";
import { successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";

const useActionDelay = z.undefined({ error: 'is not allowed: use the action\'s field "delay"' }).optional();

const delayConfig = z.strictObject({
  /** A note for readers of the history. */
  reason: z.string().max(500).optional(),
  duration: useActionDelay,
  delayUntil: useActionDelay,
});
type DelayConfig = z.infer<typeof delayConfig>;

export const delay: Runner<DelayConfig> = {
  type: "delay",
  config: delayConfig,
  permissions: [],
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.nothing,
  retryPolicy: "delay",
  run: async ({ reason = null }, context) => {
    const at = context.now();
    const payload = { reason, actionId: context.ticket.action };
    return successOutcome(
      { result: { reason }, events: [{ type: "delay_elapsed", payload }] },
      { startedAt: at, endedAt: at },
    );
  },
};
