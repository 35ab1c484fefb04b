// Delay runner: completes at once, when its time has come. The execution itself waits, through the action's `delay`, a
// durable timer; a runner that slept would be lost with its isolate.
import { z } from "zod";
import { attemptMs } from "#schema/defaults.ts";
import { succeeded } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";

const notHere = z.undefined({ error: "a runner cannot wait: use the action's own delay" }).optional();

const delayConfig = z.strictObject({
  /** For readers of the history. */
  reason: z.string().max(500).optional(),
  duration: notHere,
  delayUntil: notHere,
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
    return succeeded(
      { result: { reason }, events: [{ type: "delay_elapsed", payload }] },
      { startedAt: at, endedAt: at },
    );
  },
};
