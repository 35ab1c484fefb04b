// Worker runner: calls a method of a bound Worker over RPC. The operator lists the Workers in ACTION_SERVICES.
import { z } from "zod";
import { json } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { WORKER_INPUT_CHARS_MAX } from "#schema/limits/outgoing/worker-calls.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";
import { callMethod } from "./call.ts";

/**
 * Methods that the platform itself handles. A stub's `fetch` would send an HTTP request instead of calling a method,
 * and `dup` would copy the stub.
 */
const RESERVED_METHODS: ReadonlySet<string> = new Set(
  (
    "alarm catch connect dup email fetch finally queue scheduled tail tailStream test then trace webSocketClose " +
    "webSocketError webSocketMessage"
  ).split(" "),
);

const workerConfig = z.strictObject({
  /** The name under which ACTION_SERVICES lists the Worker. */
  service: z.string().min(1).max(100),
  method: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, {
      message: "must be the name of a method: a letter, then at most 99 letters, digits and _",
    })
    .refine((method) => !RESERVED_METHODS.has(method) && !(method in Object.prototype), {
      message: "must not be a name that the platform reserves, such as fetch or constructor",
    }),
  /** The method's first argument. Default: null. */
  input: json
    .refine((input) => JSON.stringify(input).length <= WORKER_INPUT_CHARS_MAX, {
      message: `must have at most ${WORKER_INPUT_CHARS_MAX} characters as JSON (WORKER_INPUT_CHARS_MAX)`,
    })
    .optional(),
});
export type WorkerConfig = z.infer<typeof workerConfig>;

export const worker: Runner<WorkerConfig> = {
  type: "worker",
  config: workerConfig,
  permissions: ["workers:call"],
  // Every attempt passes the same idempotency key to the method, which must drop repeats of the key.
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const { service, method } = config;
    const called = await callMethod(config, context);
    const span = { startedAt, endedAt: context.now() };
    if (!called.ok) return failureOutcome(called.failure, span, { service, method });
    const responseTime = span.endedAt - startedAt;
    const payload = { service, method, responseTime, actionId: context.ticket.action };
    const events = [{ type: "worker_called", payload }];
    return successOutcome({ result: called.result, events }, span, { service, method });
  },
};
