// Start-execution runner: starts another execution of the same tenant, and completes when that one has started. With
// `wait`, the parent receives the child's end as `child_completed`, `child_failed` or `child_canceled`.
import { z } from "zod";
import { jsonObject } from "#schema/json.ts";
import { defaults, attemptMs } from "#schema/defaults.ts";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { childPolicies } from "#schema/engine/child.ts";
import { configurationFailure } from "../core/classify.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";

const startConfig = z.strictObject({
  /** A definition by name, name@version or id. */
  definition: z.string().min(1).max(REFERENCE_CHARS_MAX),
  variables: jsonObject.optional(),
  namespace: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, {
      message: "must begin with a letter or digit and contain only letters, digits, . _ and -",
    })
    .optional(),
  correlationId: z.string().min(1).max(200).optional(),
  wait: z.boolean().optional(),
  /** What happens to the child if its parent is canceled or fails. Default: `cancel` with `wait`, otherwise `leave`. */
  onCancel: z.enum(childPolicies).optional(),
});
type StartConfig = z.infer<typeof startConfig>;

export const startExecution: Runner<StartConfig> = {
  type: "start_execution",
  config: startConfig,
  permissions: ["executions:start"],
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.execution,
  retryPolicy: "default",
  lane: "queue",
  run: async ({ definition, wait = false, ...config }, context) => {
    const startedAt = context.now();
    if (context.engine === undefined) {
      const failure = configurationFailure("in this installation, actions cannot start executions", "engine_missing");
      return failureOutcome(failure, { startedAt, endedAt: context.now() });
    }
    const started = await context.engine.start({
      definition,
      wait,
      variables: config.variables ?? {},
      namespace: config.namespace ?? defaults.namespace,
      correlationId: config.correlationId ?? null,
    });
    const span = { startedAt, endedAt: context.now() };
    if (!started.ok) return failureOutcome(started.failure, span);
    const result = { execution: started.execution, definition, wait };
    const payload = { ...result, actionId: context.ticket.action };
    return successOutcome({ result, events: [{ type: "execution_started", payload }] }, span);
  },
};
