// Run execution: performs one claimed run. It checks the rendered config, enforces the deadline, and returns an outcome
// without secrets. Both lanes call it. It never throws.
import type { z } from "zod";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import { ABORT_REPORT_MS, MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { abortedFailure, configurationFailure, timeoutFailure, type Failure } from "./core/classify.ts";
import { failureOutcome } from "./core/outcomes.ts";
import { redactText } from "./core/redact.ts";
import { mayContainSecret, redactJson } from "./core/redact-values.ts";
import { parseOutcome } from "./core/outcome-shape.ts";
import { runnerFor, type AnyRunner } from "./registry.ts";
import type { RunnerContext } from "./core/runner.ts";
import { runUnsuppressed } from "./core/suppressed-recipients.ts";
import { guardPorts } from "./core/guarded-ports.ts";

export type RunDeps = Omit<RunnerContext, "ticket" | "signal"> & {
  /** The secret values that this run has received so far. They are redacted from its outcome. */
  readonly secrets?: readonly string[];
  /** The secrets that may be sent only to certain hosts. The list grows when the run opens a connection. */
  readonly bounds?: readonly BoundSecret[];
  /** Aborted when the outcome is no longer needed. */
  readonly abortSignal?: AbortSignal;
  /**
   * Calls `act` after `ms` milliseconds, and returns a function that cancels the call. A rehearsal passes the timer of
   * its virtual clock.
   */
  readonly startTimer?: (ms: number, act: () => void) => () => void;
};

export async function runTicket(ticket: Ticket, deps: RunDeps): Promise<Outcome> {
  const runner = runnerFor(ticket.type);
  if (runner !== null) return runWith(runner, ticket, deps);
  const now = deps.now();
  const failure = configurationFailure(`there is no runner for the type ${ticket.type}`, "unknown_type");
  return failureOutcome(failure, { startedAt: now, endedAt: now });
}

/** Performs the run with the given runner. The runners' contract tests call this directly. */
export async function runWith(runner: AnyRunner, ticket: Ticket, deps: RunDeps): Promise<Outcome> {
  const startedAt = deps.now();
  const { blockedCall, ...ports } = guardPorts(deps, deps.bounds ?? []);
  const performed = await withinDeadline(runner, ticket, { ...deps, ...ports }, startedAt);
  const isSuccess = "ok" in performed && performed.ok;
  const result = isSuccess ? performed : (blockedCall() ?? performed);
  const outcome = "ok" in result ? result : failureOutcome(result, { startedAt, endedAt: deps.now() });
  return redactOutcome(outcome, deps);
}

async function withinDeadline(
  runner: AnyRunner,
  ticket: Ticket,
  deps: RunDeps,
  now: number,
): Promise<Outcome | Failure> {
  const parsed = parseConfig(runner, ticket.config);
  if (!parsed.success) return invalidConfigFailure(runner, parsed.error, ticket.config);
  const remainingMs = Math.min(ticket.timeoutMs, ticket.deadlineAt - now);
  if (remainingMs <= 0) return timeoutFailure(ticket.timeoutMs, "none");
  const { startTimer = startSystemTimer, abortSignal } = deps;
  if (abortSignal?.aborted) return abortedFailure("none");
  const controller = new AbortController();
  let cancelTimer = () => {};
  let onAbort = () => {};
  // Resolves a short time after the deadline or the abort. The run then ends even if its runner ignores the signal.
  const abandoned = new Promise<Failure>((resolve) => {
    const abortRunner = (failure: Failure) => {
      cancelTimer();
      controller.abort(new Error(failure.error.message));
      cancelTimer = startTimer(ABORT_REPORT_MS, () => resolve(failure));
    };
    cancelTimer = startTimer(remainingMs, () => abortRunner(timeoutFailure(ticket.timeoutMs, "unknown")));
    onAbort = () => abortRunner(abortedFailure("unknown"));
    abortSignal?.addEventListener("abort", onAbort, { once: true });
  });
  try {
    const config = parsed.data as never; // the runner's own schema returned it
    const context = { ...contextOf(deps), ticket, signal: controller.signal };
    const result = await Promise.race([validOutcome(runUnsuppressed(runner, config, context), runner), abandoned]);
    return asAborted(result, abortSignal);
  } catch (error) {
    return thrownFailure(error, runner);
  } finally {
    cancelTimer();
    abortSignal?.removeEventListener("abort", onAbort);
  }
}

function parseConfig({ config: schema, plain }: AnyRunner, config: JsonObject): z.ZodSafeParseResult<unknown> {
  const data = plain?.(config) ?? null;
  return data === null ? schema.safeParse(config) : { success: true, data };
}

/**
 * Corrects the failure of an aborted run. A runner has one signal for deadline and abort, and reports both as a
 * timeout.
 */
function asAborted(result: Outcome | Failure, abortSignal: AbortSignal | undefined): Outcome | Failure {
  const isMisreported = abortSignal?.aborted && "error" in result && result.error.code === "deadline";
  return isMisreported ? abortedFailure(result.error.effect ?? "unknown") : result;
}

function startSystemTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** Selects the ports that a runner may use. The list of secrets is not among them. */
function contextOf(deps: RunDeps): Omit<RunnerContext, "ticket" | "signal"> {
  const { fetch, now, allowLoopback, signing, findAccount, connection, template } = deps;
  const { email, files, fileMemory, databases, services, signer, tasks, engine, ownToken, tokens } = deps;
  const { suppressed, publicUrl, receiptUrl, unsubscribe } = deps;
  const messages = { connection, template, suppressed, email, files, fileMemory };
  const ports = { ...messages, databases, services, signer, tasks, engine, ownToken, tokens };
  return { fetch, now, allowLoopback, signing, findAccount, ...ports, publicUrl, receiptUrl, unsubscribe };
}

function invalidConfigFailure(runner: AnyRunner, error: z.ZodError, config: JsonObject): Failure {
  const findings = zodFindings(error, runner.config, config);
  const errors: JsonObject[] = findings.map((finding) => ({ ...finding }));
  return configurationFailure(findings.map(sentenceOf).join("; "), "invalid_config", { errors });
}

/** Formats a finding as a sentence that begins with the field: "headers.Host: this header is set by the connection". */
function sentenceOf({ pointer, message, hint }: Finding): string {
  const field = pointer.slice(1).replaceAll("/", ".") || "config";
  return hint === undefined ? `${field}: ${message}` : `${field}: ${message}, ${hint}`;
}

/**
 * Checks the runner's result. An invalid result is a bug of the runner. Its effect is unknown, so the run is not
 * retried.
 */
async function validOutcome(running: Promise<unknown>, runner: AnyRunner): Promise<Outcome | Failure> {
  const outcome = parseOutcome(await running);
  if (outcome !== null) return outcome;
  const message = `the ${runner.type} runner returned no valid outcome`;
  return { error: { type: "unknown_error", message, retryable: false, code: "outcome_invalid", effect: "unknown" } };
}

function thrownFailure(error: unknown, runner: AnyRunner): Failure {
  const reason = redactText(error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_EXCERPT_CHARS_MAX);
  const message = `the ${runner.type} runner failed with an internal error: ${reason}`;
  return { error: { type: "unknown_error", message, retryable: true, code: "runner_threw", effect: "unknown" } };
}

function redactOutcome(outcome: Outcome, deps: RunDeps): Outcome {
  const { secrets = [] } = deps;
  if (secrets.length === 0 || !mayContainSecret(foreignTexts(outcome), secrets)) return outcome;
  // redaction changes only strings
  const clean = <T extends Json>(value: T) => redactJson(value, secrets) as T;
  const metadata = outcome.metadata === undefined ? {} : { metadata: clean(outcome.metadata) };
  if (!outcome.ok) {
    const { message, details } = outcome.error;
    const error = {
      ...outcome.error,
      message: clean(message),
      ...(details === undefined ? {} : { details: clean(details) }),
    };
    return { ...outcome, error, ...metadata };
  }
  const events = outcome.events.map(({ type, payload }) => ({ type, payload: clean(payload) }));
  return { ...outcome, result: clean(outcome.result), events, ...metadata };
}

/** Returns the parts of an outcome that may contain text from outside the engine, such as a provider's. */
function foreignTexts(outcome: Outcome): Json {
  const { metadata = null } = outcome;
  if (outcome.ok) return [outcome.result, outcome.events.map(({ payload }) => payload), metadata];
  return [outcome.error.message, outcome.error.details ?? null, metadata];
}
