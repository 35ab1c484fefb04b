// Worker calls: call a method, wait for its result until the deadline, and dispose the stubs in the result. A part of
// the worker runner.
import { configurationFailure, timeoutFailure } from "../core/classify.ts";
import type { RunnerContext, WorkerCall } from "../core/runner.ts";
import { thrownFailure } from "./errors.ts";
import { readResult, type MethodResult } from "./result.ts";
import type { WorkerConfig } from "./worker.ts";

export async function callMethod(
  { service, method, input = null }: WorkerConfig,
  context: RunnerContext,
): Promise<MethodResult> {
  const { services = {}, ticket, signal } = context;
  const port = Object.hasOwn(services, service) ? services[service] : undefined;
  if (port === undefined) {
    const open = Object.keys(services).join(", ") || "none";
    const message = `service: ${service} is not available to actions (available: ${open})`;
    return { ok: false, failure: configurationFailure(message, "service_not_open") };
  }
  const calling = port.call(method, input, callOf(context));
  try {
    const returned = await Promise.race([calling.then((value) => ({ value })), whenAborted(signal)]);
    if (returned !== null) return readAndDispose(returned.value, `${service}.${method}`);
  } catch (thrown) {
    return { ok: false, failure: thrownFailure(thrown, service, method) };
  }
  // The method continues in its own Worker. Its late result is only disposed.
  void calling.then(dispose, () => undefined);
  return { ok: false, failure: timeoutFailure(ticket.timeoutMs, "unknown") };
}

function callOf({ ticket, now, signal }: RunnerContext): WorkerCall {
  const { idempotencyKey, attempt, execution, run, tenant, timeoutMs, deadlineAt } = ticket;
  const deadline = Math.min(deadlineAt, now() + timeoutMs);
  return { idempotencyKey, attempt, deadline, execution, run, tenant, signal };
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

function readAndDispose(value: unknown, target: string): MethodResult {
  try {
    return readResult(value, target);
  } finally {
    dispose(value);
  }
}

/** Disposes all stubs in a result. Until then, the platform keeps the method's Worker in memory. */
function dispose(value: unknown): void {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return;
  const release: unknown = Symbol.dispose in value ? value[Symbol.dispose] : undefined;
  if (typeof release === "function") release.call(value);
}
