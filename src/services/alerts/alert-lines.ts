// Alert lines: the plain text of an alert, line by line, without markup.
import type { AlertError, AlertFailedRun, AlertFailure, AlertMessage } from "./alert-message.ts";

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
    `Details: ${look.map((link) => (link.startsWith("/") ? `GET ${link}` : link)).join("  ")}`,
    ...(silentUntil === null
      ? []
      : [`Further alerts of this kind are suppressed until ${timeOfDay(silentUntil)} UTC.`]),
  ];
}

function failureLines(failure: AlertFailure): string[] {
  const {
    execution,
    run,
    namespace,
    correlationId,
    failedAt,
    attempts,
    states = [],
    lastFailure,
    says,
    error,
  } = failure;
  const about = [
    ...(states.length === 0 ? [] : [`in ${states.join(" and ")}`]),
    ...(run === null ? [] : [`run ${run}`]),
    ...(attempts === null ? [] : [attemptsText(attempts)]),
    `namespace ${namespace}`,
    ...(correlationId === null ? [] : [`correlation id ${correlationId}`]),
  ];
  return [
    ...(says === undefined ? [] : [oneLine(says)]),
    `• ${minuteOf(failedAt)}, ${execution}: ${about.join(", ")}`,
    errorLine(error),
    ...(lastFailure ? failedRunLines(lastFailure) : []),
  ];
}

function failedRunLines({ action, state, run, deadLetter, attempts, error }: AlertFailedRun): string[] {
  const where = state === action ? "" : ` in ${state}`;
  return [
    `  Last failed action: ${action}${where}, run ${run}, ${attemptsText(attempts)}, dead letter ${deadLetter}`,
    `  ${errorLine(error)}`,
  ];
}

function attemptsText(attempts: number): string {
  return `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
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
