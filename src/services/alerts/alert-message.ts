// Alert messages: the text of an alert, and the next step that it recommends.
import { fixFor } from "#policy/advice/suggested-fix.ts";
import type { AlertCode, Failure, AlertGroup, AlertSeverity, FailedRun, TenantAlert } from "#schema/alert.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import { deadLetterId } from "#schema/ids.ts";
import { ALERT_ERROR_CHARS_MAX, ALERT_FAILURES_SHOWN } from "#schema/limits/upkeep/alert-throttle.ts";
import { toInstant } from "#schema/values.ts";

type Cause = Pick<Failure, "errorType" | "errorCode"> & Partial<Pick<Failure, "execution" | "lastFailure">>;

export function nextStep(code: AlertCode, { errorType, errorCode, execution = "{id}", lastFailure }: Cause): string {
  switch (code) {
    case "action_failed":
      return fixOf({ errorType, errorCode });
    case "execution_paused": {
      const letter = lastFailure ? deadLetterId(execution, lastFailure.run) : "{id}";
      return `${fixBefore(lastFailure)}Retry the dead letter (POST /v1/dead-letters/${letter}/retry), then resume the execution (POST /v1/executions/${execution}/resume).`;
    }
    case "execution_failed":
      return `${fixBefore(lastFailure)}Read the journal of the execution (GET /v1/executions/${execution}/journal). The last entries show why the execution ended.`;
  }
}

function fixOf({ errorType, errorCode }: Pick<Cause, "errorType" | "errorCode">): string {
  return fixFor({ errorType, code: errorCode, reason: null }).suggestedFix;
}

function fixBefore(lastFailure: Failure["lastFailure"]): string {
  return lastFailure ? `${fixOf(lastFailure)} ` : "";
}

/** The body of a webhook alert. Instants are in ISO 8601. */
export type AlertMessage = {
  readonly type: "escapement.alert";
  readonly test: boolean;
  readonly severity: AlertSeverity;
  readonly code: string;
  readonly title: string;
  readonly tenant: string;
  readonly channel: string;
  readonly definition: string | null;
  readonly action: string | null;
  readonly count: number;
  readonly failures: readonly AlertFailure[];
  /** The tenant-wide event that this alert reports. Absent if the alert reports failures. */
  readonly notice?: AlertNotice;
  readonly nextStep: string;
  /** Links to details. Paths of this API if the deployment has no public URL. */
  readonly look: readonly string[];
  /** Further failures of this kind raise no alert before this instant. Null: every failure raises an alert. */
  readonly silentUntil: string | null;
};

export type AlertError = {
  readonly type: string | null;
  readonly code: string | null;
  readonly message: string | null;
};
type AlertNotice = { readonly subject: string; readonly at: string; readonly error: AlertError };
export type AlertFailure = {
  readonly execution: string;
  readonly run: string | null;
  readonly deadLetter: string | null;
  readonly namespace: string;
  readonly correlationId: string | null;
  readonly failedAt: string;
  readonly attempts: number | null;
  /** The active states or nodes. Only for a failure of the execution itself. */
  readonly states?: readonly string[];
  /** The last run that failed permanently before; null if none did. Only for a failure of the execution itself. */
  readonly lastFailure?: AlertFailedRun | null;
  /** For a journey only: one sentence with the journey, the client and the cause. */
  readonly says?: string;
  readonly error: AlertError;
};

export type AlertFailedRun = {
  readonly action: string;
  readonly state: string;
  readonly run: string;
  readonly deadLetter: string;
  readonly attempts: number;
  readonly error: AlertError;
};

type Recipient = {
  readonly tenant: string;
  readonly channel: string;
  readonly test: boolean;
  /** The base URL of links. Null: the deployment has no public URL, and the alert shows paths. */
  readonly publicUrl: string | null;
};

export function alertMessage(group: AlertGroup, { tenant, channel, test, publicUrl }: Recipient): AlertMessage {
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
    look: linksTo(pathsOf(group), publicUrl),
    silentUntil: toInstant(silentUntil),
  };
}

/** Builds the message of an alert about the tenant as a whole: a single event without a count. */
export function tenantAlertMessage(
  notice: TenantAlert,
  { publicUrl, ...to }: Recipient,
  silentUntil: number | null,
): AlertMessage {
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
    look: linksTo(look, publicUrl),
    silentUntil: toInstant(silentUntil),
  };
}

function linksTo(paths: readonly string[], publicUrl: string | null): readonly string[] {
  return publicUrl === null ? paths : paths.map((path) => `${publicUrl}${path}`);
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
  const { journey, execution, run, namespace, correlationId, failedAt, attempts, states, lastFailure } = failure;
  const { errorType: type, errorCode: code, error } = failure;
  const message = error === null ? null : error.slice(0, ALERT_ERROR_CHARS_MAX);
  return {
    execution,
    run,
    deadLetter: run === null ? null : deadLetterId(execution, run),
    namespace,
    correlationId,
    failedAt: toInstant(failedAt),
    attempts,
    ...(states === undefined ? {} : { states }),
    ...(lastFailure === undefined ? {} : { lastFailure: lastFailure && alertFailedRun(execution, lastFailure) }),
    ...(journey ? { says: journeySentence(definition, journey, message) } : {}),
    error: { type, code, message },
  };
}

function alertFailedRun(execution: string, failed: FailedRun): AlertFailedRun {
  const { action, state, run, attempts, errorType: type, errorCode: code, error: message } = failed;
  return { action, state, run, deadLetter: deadLetterId(execution, run), attempts, error: { type, code, message } };
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
  const run = first?.run ?? first?.lastFailure?.run;
  const letter =
    first === undefined || run === undefined ? [] : [`/v1/dead-letters/${deadLetterId(first.execution, run)}`];
  if (code !== "action_failed" || action === null) {
    const status = code === "execution_paused" ? "paused" : "failed";
    return [`/v1/executions?definition=${encodeURIComponent(definition)}&status=${status}`, ...letter, ...one];
  }
  const query = `definition=${encodeURIComponent(definition)}&action=${encodeURIComponent(action)}`;
  return [`/v1/dead-letters?${query}`, ...letter, ...one];
}
