// Alert messages: the text of an alert, and the next step that it recommends.
import { fixFor } from "#policy/advice/suggested-fix.ts";
import type { AlertCode, Failure, AlertGroup, AlertSeverity, TenantAlert } from "#schema/alert.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import { deadLetterId } from "#schema/ids.ts";
import { ALERT_ERROR_CHARS_MAX, ALERT_FAILURES_SHOWN } from "#schema/limits/upkeep/alert-throttle.ts";
import { toInstant } from "#schema/values.ts";

type Cause = Pick<Failure, "errorType" | "errorCode">;

export function nextStep(code: AlertCode, { errorType, errorCode }: Cause): string {
  switch (code) {
    case "action_failed":
      return fixFor({ errorType, code: errorCode, reason: null }).suggestedFix;
    case "execution_paused":
      return "Retry the dead letter (POST /v1/dead-letters/{id}/retry), then resume the execution (POST /v1/executions/{id}/resume).";
    case "execution_failed":
      return "Read the journal of the execution (GET /v1/executions/{id}/journal). The last entries show why the execution ended.";
  }
}

/** The body of a webhook alert. Instants are in ISO 8601; links are paths of this API. */
export type AlertMessage = {
  readonly type: "escapement.alert";
  readonly test: boolean;
  readonly severity: AlertSeverity;
  readonly code: string;
  readonly title: string;
  readonly tenant: string;
  readonly channel: string;
  /**
   * Escapes Slack's three special characters. Without angle brackets a text cannot contain links, mentions or
   * <!channel>.
   */
  readonly definition: string | null;
  readonly action: string | null;
  readonly count: number;
  readonly failures: readonly AlertFailure[];
  /** The tenant-wide event that this alert reports. Absent if the alert reports failures. */
  readonly notice?: AlertNotice;
  readonly nextStep: string;
  readonly look: readonly string[];
  /** Further failures of this kind raise no alert before this instant. Null: every failure raises an alert. */
  readonly silentUntil: string | null;
};

type AlertError = { readonly type: string | null; readonly code: string | null; readonly message: string | null };
type AlertNotice = { readonly subject: string; readonly at: string; readonly error: AlertError };
type AlertFailure = {
  readonly execution: string;
  readonly run: string | null;
  readonly deadLetter: string | null;
  readonly namespace: string;
  readonly correlationId: string | null;
  readonly failedAt: string;
  readonly attempts: number | null;
  /** For a journey only: one sentence with the journey, the client and the cause. */
  readonly says?: string;
  readonly error: AlertError;
};

type Recipient = { readonly tenant: string; readonly channel: string; readonly test: boolean };

export function alertMessage(group: AlertGroup, { tenant, channel, test }: Recipient): AlertMessage {
  const { severity, code, definition, action, failures, silentUntil } = group;
  const [oldest] = failures;
  return {
    type: "escapement.alert",
    test,
    severity,
    code,
    title: `${test ? "Test: " : ""}${alertTitle(group)}${countSuffix(failures.length)}`,
    tenant,
    channel,
    definition,
    action,
    count: failures.length,
    failures: failures.slice(0, ALERT_FAILURES_SHOWN).map((failure) => alertFailure(failure, definition)),
    nextStep: nextStep(code, oldest ?? unknownCause),
    look: pathsOf(group),
    silentUntil: toInstant(silentUntil),
  };
}

/** Builds the message of an alert about the tenant as a whole: a single event without a count. */
export function tenantAlertMessage(notice: TenantAlert, to: Recipient, silentUntil: number | null): AlertMessage {
  const { severity, code, subject, at, error, nextStep: step, look } = notice;
  const message = error.message.slice(0, ALERT_ERROR_CHARS_MAX);
  return {
    type: "escapement.alert",
    ...to,
    severity,
    code,
    title: `[${severity}] ${tenantAlertTitle(notice)}`,
    definition: null,
    action: null,
    count: 1,
    failures: [],
    notice: { subject, at: toInstant(at), error: { ...error, message } },
    nextStep: step,
    look,
    silentUntil: toInstant(silentUntil),
  };
}

function tenantAlertTitle({ code, subject }: TenantAlert): string {
  switch (code) {
    case "connection_needs_attention":
      return `the connection ${subject} needs an operator: its provider rejects the credentials`;
    case "deliveries_stuck":
      return `deliveries of the trigger ${subject} need an operator`;
    case "poller_frozen":
      return `the poller ${subject} has stopped polling`;
    case "success_rate_low":
      return `the success rate was ${subject}`;
  }
}

const unknownCause = { errorType: null, errorCode: null };

/**
 * Returns the alert's title. A journey's alert has a title in the words of the journey's operators, which does not
 * contain the severity. The message's field `severity` contains it.
 */
function alertTitle(group: AlertGroup): string {
  if (group.failures[0]?.journey) return `Journey Execution Failed: ${group.definition}`;
  return `[${group.severity}] ${groupTitle(group)}`;
}

function groupTitle({ code, definition, action }: AlertGroup): string {
  switch (code) {
    case "action_failed":
      return definition === ACTION_REF.name
        ? `the action ${action} failed permanently`
        : `${action} of ${definition} failed permanently`;
    case "execution_failed":
      return `${executionName(definition)} failed`;
    case "execution_paused":
      return `${executionName(definition)} was paused, because an action failed permanently`;
  }
}

function executionName(definition: string): string {
  return definition === ACTION_REF.name ? "a standalone action" : `an execution of ${definition}`;
}

function countSuffix(count: number): string {
  return count === 1 ? "" : ` (${count} times)`;
}

function alertFailure(failure: Failure, definition: string): AlertFailure {
  const {
    journey,
    execution,
    run,
    namespace,
    correlationId,
    failedAt,
    attempts,
    errorType: type,
    errorCode: code,
    error,
  } = failure;
  const message = error === null ? null : error.slice(0, ALERT_ERROR_CHARS_MAX);
  return {
    execution,
    run,
    deadLetter: run === null ? null : deadLetterId(execution, run),
    namespace,
    correlationId,
    failedAt: toInstant(failedAt),
    attempts,
    ...(journey ? { says: journeySentence(definition, journey, message) } : {}),
    error: { type, code, message },
  };
}

function journeySentence(
  definition: string,
  { client }: NonNullable<Failure["journey"]>,
  error: string | null,
): string {
  const forClient = client === null ? "" : ` for client "${client}"`;
  return `The journey "${definition}"${forClient} has failed execution. Error: ${error ?? "the error has no details"}`;
}

/** Returns the API paths that an operator opens first: the list of the failures, then the first failure. */
function pathsOf({ code, definition, action, failures }: AlertGroup): readonly string[] {
  const [first] = failures;
  const one = first === undefined ? [] : [`/v1/executions/${first.execution}`];
  if (code !== "action_failed" || action === null) {
    const status = code === "execution_paused" ? "paused" : "failed";
    return [`/v1/executions?definition=${encodeURIComponent(definition)}&status=${status}`, ...one];
  }
  const query = `definition=${encodeURIComponent(definition)}&action=${encodeURIComponent(action)}`;
  const letter =
    first === undefined || first.run === null ? [] : [`/v1/dead-letters/${deadLetterId(first.execution, first.run)}`];
  return [`/v1/dead-letters?${query}`, ...letter, ...one];
}

/** Returns the alert as lines of plain text, without markup. */
export function alertLines(message: AlertMessage): readonly string[] {
  const { count, failures, notice, nextStep: step, look, silentUntil } = message;
  const hidden = notice === undefined ? count - failures.length : 0;
  return [
    ...failures.flatMap(failureLines),
    ...(notice === undefined ? [] : [`• ${minuteOf(notice.at)}, ${notice.subject}`, errorLine(notice.error)]),
    ...(hidden > 0 ? [`… and ${hidden} more.`] : []),
    "",
    `Next: ${step}`,
    `Details: ${look.join("  ")}`,
    ...(silentUntil === null
      ? []
      : [`Further alerts of this kind are suppressed until ${timeOfDay(silentUntil)} UTC.`]),
  ];
}

function failureLines(failure: AlertFailure): string[] {
  const { execution, run, namespace, correlationId, failedAt, attempts, says, error } = failure;
  const about = [
    ...(run === null ? [] : [`run ${run}`]),
    ...(attempts === null ? [] : [`${attempts} ${attempts === 1 ? "attempt" : "attempts"}`]),
    `namespace ${namespace}`,
    ...(correlationId === null ? [] : [`correlation id ${correlationId}`]),
  ];
  return [
    ...(says === undefined ? [] : [oneLine(says)]),
    `• ${minuteOf(failedAt)}, ${execution}: ${about.join(", ")}`,
    errorLine(error),
  ];
}

function errorLine({ type, code, message }: AlertError): string {
  const kind = [type ?? "error", ...(code === null ? [] : [`(${code})`])].join(" ");
  return `  ${kind}: ${oneLine(message ?? "the error has no details")}`;
}

function minuteOf(instant: string): string {
  return `${instant.slice(0, 19).replace("T", " ")} UTC`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function timeOfDay(instant: string): string {
  return instant.slice(11, 16);
}
