// Advises on a rehearsed action: problems that would occur in production, and assumptions that the rehearsal could not
// check. The same rehearsal always gives the same advice.
import { defaults } from "#schema/defaults.ts";
import { isCritical } from "#kernel/execution/run-endings.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { Json } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Recommendation } from "#schema/rehearsal.ts";
import type { ResolvedRetryPolicy } from "#schema/definition/retry.ts";
import { childPointer } from "#kernel/language/json-values.ts";
import { retryTimetable } from "#kernel/execution/retries/retry.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { LARGE_BODY_BYTES } from "#schema/limits/planning/rehearsal-attempts.ts";

export type RehearsedAction = {
  /** The action as it would be stored, including its timeout and retry policy. */
  readonly action: ProgramAction;
  readonly policy: ResolvedRetryPolicy;
  readonly repeats: IdempotencySupport;
  readonly status: "ok" | "failed" | "skipped" | "waiting";
  readonly reason: string | null;
  /** The error of the permanently failed run; null if the run did not fail. */
  readonly error: ActionError | null;
  readonly attempts: readonly { readonly error: string | null; readonly isRetried: boolean }[];
  readonly mockDelaysMs: readonly number[];
  readonly bodyBytesMax: number;
  /**
   * The calls for which the client gave no mock, as "POST api.example.com" or the name of a port. The rehearsal assumed
   * that they succeed.
   */
  readonly assumed: readonly string[];
  /** Providers whose connection the config does not name. */
  readonly unnamed: readonly string[];
  readonly unsetSecrets: readonly string[];
  /** True if actions of this type always use the queue lane. */
  readonly isQueueOnly: boolean;
};

type Check = (rehearsed: RehearsedAction) => Recommendation | null;

/** All checks. Their order is the order of the recommendations: the most important first. */
const checks: readonly Check[] = [
  wronglyConfigured,
  becameDeadLetter,
  notRetried,
  outOfTime,
  skippedByCondition,
  switchedOff,
  waits,
  cutShort,
  unsetSecrets,
  writtenSecret,
  plainHttp,
  repeatsUnnoticed,
  neverRetried,
  outlastsLateness,
  slowMock,
  criticalWithoutPlan,
  largeBody,
  unnamedConnection,
  queueOnly,
  assumed,
];

export function recommend(rehearsed: RehearsedAction): readonly Recommendation[] {
  return checks.map((check) => check(rehearsed)).filter((check) => check !== null);
}

function wronglyConfigured({ status, error }: RehearsedAction): Recommendation | null {
  if (status !== "failed" || error?.type !== "invalid_configuration") return null;
  const { code = error.type, message } = error;
  return {
    code,
    message,
    hint: "More attempts do not help. Correct the action, or the resource that the action names.",
  };
}

function becameDeadLetter({ status, attempts, action }: RehearsedAction): Recommendation | null {
  if (status !== "failed") return null;
  const tries = attempts.length === 1 ? "one attempt" : `${attempts.length} attempts`;
  const message = `after ${tries} the action failed permanently: the run would become a dead letter`;
  const handled = `The machine receives the event action.${action.actionId}.failed, which a state may handle`;
  return { code: "becomes_dead_letter", message, hint: `${handled}; an operator can retry the dead letter.` };
}

function notRetried({ status, attempts, policy }: RehearsedAction): Recommendation | null {
  const last = attempts.at(-1);
  if (last?.error === "invalid_configuration") return null;
  if (status !== "failed" || last?.error == null || last.isRetried || attempts.length >= policy.maxAttempts)
    return null;
  const message = `the policy has attempts left, but does not retry errors of the type ${last.error}`;
  return { code: "not_retried", message, hint: "Add the type to retryPolicy.retryableErrors if a retry may help." };
}

function outOfTime({ status, reason }: RehearsedAction): Recommendation | null {
  if (status !== "skipped" || (reason !== "late" && reason !== "no_longer_valid" && reason !== "already_past"))
    return null;
  const field = { late: "maxLateness", no_longer_valid: "validUntil", already_past: "delay" }[reason];
  const message = `the action was skipped (${reason}), because ${field} had passed when it was due`;
  return { code: "out_of_time", message, hint: `Extend ${field}, or shorten the delays of the retry policy.` };
}

function skippedByCondition({ reason }: RehearsedAction): Recommendation | null {
  if (reason !== "condition_false") return null;
  const message = "the condition is false with this context: nothing would be sent";
  return {
    code: "condition_false",
    message,
    hint: 'In "context", set the variables and the message that the condition reads.',
  };
}

function switchedOff({ reason }: RehearsedAction): Recommendation | null {
  if (reason !== "disabled") return null;
  return {
    code: "disabled",
    message: '"enabled" is false, so the action is skipped',
    hint: 'Omit "enabled", or set it to true.',
  };
}

function waits({ status, reason }: RehearsedAction): Recommendation | null {
  if (status !== "waiting" || reason !== "delay_unknown") return null;
  const message = "the delay depends on a missing variable: the action would wait until a patch sets this variable";
  return {
    code: "delay_unknown",
    message,
    hint: "In context.variables, set the variable that the delay's anchor reads.",
  };
}

function cutShort({ status, reason, attempts }: RehearsedAction): Recommendation | null {
  if (status !== "waiting" || reason !== "rehearsal_ended") return null;
  const message = `the rehearsal ended before all attempts were made (attempts: ${attempts.length}); a real action would continue`;
  return { code: "rehearsal_ended", message, hint: "Raise maxAttempts, or mock a response that ends the action." };
}

function unsetSecrets({ unsetSecrets: names }: RehearsedAction): Recommendation | null {
  if (names.length === 0) return null;
  const message = `the action uses secrets that are not set (${names.join(", ")}), so a real action would fail with invalid_configuration`;
  return { code: "secret_missing", message, hint: "Set each secret with PUT /v1/secrets/{name}." };
}

/** Prefixes of providers' API keys. */
const KEY =
  /^(?:Bearer )?(?:SG\.|sk_live_|sk_test_|rk_live_|xox[abeoprs]-|gh[opsu]_|github_pat_|whsec_|re_|AKIA)\S{8,}/;

function writtenSecret({ action }: RehearsedAction): Recommendation | null {
  const pointer = keyIn(action.config, "/action/config");
  if (pointer === null) return null;
  const message = `${pointer} looks like a plain-text key, which every reader of the definition can read`;
  return {
    code: "secret_in_config",
    message,
    hint: "Store the key as a secret, and write {{ secrets.name }} instead.",
  };
}

function keyIn(value: Json, pointer: string): string | null {
  if (typeof value === "string") return KEY.test(value) || value.includes("-----BEGIN") ? pointer : null;
  if (value === null || typeof value !== "object") return null;
  for (const [key, item] of Object.entries(value)) {
    const found = keyIn(item as Json, childPointer(pointer, key)); // An item of a JSON list or object is JSON.
    if (found !== null) return found;
  }
  return null;
}

function plainHttp({ action: { config } }: RehearsedAction): Recommendation | null {
  const { url } = config;
  if (typeof url !== "string" || !url.startsWith("http://")) return null;
  const message = "/action/config/url begins with http://: a deployed engine calls https: addresses only";
  return { code: "plain_http", message, hint: "Use an address that begins with https://." };
}

function repeatsUnnoticed({ repeats, policy, action }: RehearsedAction): Recommendation | null {
  if (repeats.mode !== "none" || policy.maxAttempts === 1) return null;
  const message = "after a timeout the outcome is unknown, and the provider may not recognize a retry";
  const isOpen = action.type === "webhook" || action.type === "api_call";
  const hint = isOpen
    ? "Every attempt carries the same Idempotency-Key. Make the receiver drop repeats of a key."
    : 'Add "timeout" to retryPolicy.nonRetryableErrors if a duplicate is worse than a loss.';
  return { code: "may_repeat", message, hint };
}

function neverRetried({ policy, action }: RehearsedAction): Recommendation | null {
  if (policy.maxAttempts > 1 || action.type === "delay") return null;
  const message = "the policy allows one attempt: a temporary error is final";
  return { code: "never_retried", message, hint: "Raise retryPolicy.maxAttempts." };
}

function outlastsLateness({ policy, action: { maxLateness } }: RehearsedAction): Recommendation | null {
  if (maxLateness === undefined) return null;
  const allowedMs = durationMs(maxLateness);
  let waitedMs = 0;
  for (const { attempt, minMs } of retryTimetable(policy)) {
    waitedMs += minMs;
    if (waitedMs <= allowedMs) continue;
    const message = `attempt ${attempt + 1} starts at the earliest ${waitedMs} ms after the first attempt, and maxLateness is ${allowedMs} ms`;
    return {
      code: "retries_too_late",
      message,
      hint: "Later attempts are skipped. Shorten the delays or raise maxLateness.",
    };
  }
  return null;
}

function slowMock({ mockDelaysMs, action: { timeout = defaults.timeoutMs } }: RehearsedAction): Recommendation | null {
  const slowest = Math.max(0, ...mockDelaysMs);
  if (slowest < timeout) return null;
  const message = `a mocked response takes ${slowest} ms, and the action's timeout is ${timeout} ms`;
  return { code: "timeout_too_short", message, hint: 'Raise "timeout" if the real provider takes that long.' };
}

function criticalWithoutPlan({ action }: RehearsedAction): Recommendation | null {
  if (!isCritical({ type: action.type, priority: action.priority ?? 0 }) || action.onExhausted !== undefined)
    return null;
  const message = "the action is critical, and onExhausted is not set";
  return { code: "critical_without_plan", message, hint: 'Set onExhausted, for example to "pause" or to an event.' };
}

function largeBody({ bodyBytesMax }: RehearsedAction): Recommendation | null {
  if (bodyBytesMax <= LARGE_BODY_BYTES) return null;
  const message = `a request has a body of ${bodyBytesMax} bytes; many receivers accept a few hundred kilobytes at most`;
  return { code: "large_body", message, hint: "Send a reference to the data instead of the data." };
}

function unnamedConnection({ unnamed }: RehearsedAction): Recommendation | null {
  if (unnamed.length === 0) return null;
  const message = `the config names no connection for ${unnamed.join(", ")}; if the tenant creates a second connection, runs will fail`;
  return { code: "connection_unnamed", message, hint: "Name the connection in config.connection." };
}

function queueOnly({ isQueueOnly, action }: RehearsedAction): Recommendation | null {
  if (!isQueueOnly) return null;
  const message = `an action of the type ${action.type} always uses the queue, so it starts a little later`;
  return { code: "queue_only", message, hint: "No change is needed." };
}

function assumed({ assumed: requests }: RehearsedAction): Recommendation | null {
  if (requests.length === 0) return null;
  const message = `no mock was given for ${requests.join(", ")}, so a success was assumed`;
  return { code: "answers_assumed", message, hint: "Add mocks to test other responses." };
}
