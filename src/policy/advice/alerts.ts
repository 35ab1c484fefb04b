// Decides which failures raise an alert, which channels receive it, and which failures are grouped. The input is the
// rows that executions report to the catalog. It stores no state: the same rows give alerts with the same ids. A row
// that is reported twice therefore raises one alert.
import type { AlertChannelSettings, AlertGroup, AlertSeverity, Failure } from "#schema/alert.ts";
import { ALERT_FRESH_MS } from "#schema/limits/upkeep/alert-throttle.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { ACTION_REF, ALERT_REF } from "#schema/definition/standalone.ts";
import { isPauseOfEngine } from "#kernel/execution/conclude.ts";
import { isCritical } from "#kernel/execution/run-endings.ts";

/**
 * Returns the failures that raise an alert. Old failures are left out, because the same rows are reported repeatedly.
 * The failure of an alert raises no alert itself.
 */
export function failuresToReport(
  executions: readonly ExecutionRow[],
  runs: readonly RunRow[],
  now: number,
): readonly Failure[] {
  const isFresh = ({ failedAt, definition }: Failure): boolean =>
    failedAt > now - ALERT_FRESH_MS && definition !== ALERT_REF.name;
  const executionFailures = executions.flatMap(executionFailure).filter(isFresh);
  const stoppedExecutions = new Set(executionFailures.map(({ execution }) => execution));
  // If a failure has ended or paused the whole execution, only the failure of the execution is reported.
  const isReported = ({ severity, execution }: Failure): boolean =>
    severity === "critical" || !stoppedExecutions.has(execution);
  return [...executionFailures, ...runs.flatMap(deadLetter).filter(isFresh).filter(isReported)];
}

/** Returns the failure of an execution that failed or was paused by a failed action. */
function executionFailure(row: ExecutionRow): readonly Failure[] {
  const isPaused = row.status === "paused" && isPauseOfEngine(row.reason);
  const isFailed = row.status === "failed" && !isReportedByRun(row);
  if (!isPaused && !isFailed) return [];
  const { tenant, namespace, definitionName: definition, id: execution, correlationId } = row;
  const [, errorType = null, error = row.error] = /^([a-z][a-z0-9_]*): ([\s\S]*)$/.exec(row.error ?? "") ?? [];
  const about = { tenant, namespace, definition, execution, correlationId, error, errorType, errorCode: null };
  const noRun = { action: null, run: null, attempts: null };
  const failedAt = (isPaused ? row.pausedAt : row.finishedAt) ?? row.updatedAt;
  const code = isPaused ? "execution_paused" : "execution_failed";
  const journey = row.journey ? { journey: row.journey } : {};
  const cause = { states: row.states, lastFailure: row.lastFailure ?? null };
  return [{ severity: "high", code, ...about, ...noRun, ...journey, ...cause, failedAt }];
}

/**
 * The run of a standalone action reports its failure itself. The failed execution of that action therefore raises no
 * second alert.
 */
function isReportedByRun({ definitionName, error }: ExecutionRow): boolean {
  return definitionName === ACTION_REF.name && error !== null && error.startsWith("machine_failed:");
}

function deadLetter(row: RunRow): readonly Failure[] {
  if (!row.deadLetter || row.finishedAt === null) return [];
  const { tenant, namespace, definition, execution, correlationId, action, errorType, errorCode, error } = row;
  const about = { tenant, namespace, definition, execution, correlationId, errorType, errorCode, error };
  // The open dead letter of a journey stops the journey's node until an operator decides.
  const isStopping = row.journey === true && !row.handled;
  const severity = isCritical(row) ? "critical" : isStopping ? "high" : "warning";
  const run = { action, run: row.id, attempts: row.attempt, failedAt: row.finishedAt };
  return [{ severity, code: "action_failed", ...about, ...run, ...(row.handled ? { handled: true as const } : {}) }];
}

/** The failures that a channel receives. */
type FailureFilter = Pick<AlertChannelSettings, "namespaces" | "definitions"> & {
  readonly handled?: boolean | undefined;
  readonly severities: readonly AlertSeverity[];
};

/**
 * Returns whether a channel with default settings receives the failure. A failure that the machine has handled is sent
 * only to channels that request such failures. A critical failure is always sent.
 */
export function isSentByDefault({ handled, severity }: Failure): boolean {
  return handled !== true || severity === "critical";
}

/** Returns whether the channel receives the failure. A channel for `high` also receives critical failures. */
export function receivesFailure(
  { severities, namespaces, definitions, handled }: FailureFilter,
  failure: Failure,
): boolean {
  return (
    (handled === true || isSentByDefault(failure)) &&
    severities.some((each) => each === failure.severity || (each === "high" && failure.severity === "critical")) &&
    (namespaces?.includes(failure.namespace) ?? true) &&
    (definitions?.includes(failure.definition) ?? true)
  );
}

/**
 * Groups failures by severity, definition, action and time interval. Intervals are as long as the throttle and begin at
 * fixed instants, so that every isolate builds the same groups.
 */
export function alertGroups(failures: readonly Failure[], throttleMs: number): readonly AlertGroup[] {
  const groups = new Map<string, OpenGroup>();
  for (const failure of failures.toSorted((a, b) => a.failedAt - b.failedAt)) {
    const identity = identityOf(failure, throttleMs);
    const group = groups.get(identity) ?? openGroup(failure, identity, throttleMs);
    group.failures.push(failure);
    groups.set(identity, group);
  }
  return [...groups.values()];
}

type OpenGroup = AlertGroup & { readonly failures: Failure[] };

function openGroup(first: Failure, identity: string, throttleMs: number): OpenGroup {
  const { severity, code, definition, action } = first;
  const bucket = bucketOf(first, throttleMs);
  const silentUntil = throttleMs === 0 ? null : (bucket + 1) * throttleMs;
  return { severity, code, definition, action, identity, bucket, silentUntil, failures: [] };
}

/** Returns the text by which failures are grouped; failures of one group have the same text. */
function identityOf(failure: Failure, throttleMs: number): string {
  const { severity, code, definition, action, execution, run } = failure;
  const own = throttleMs === 0 ? [execution, run] : [];
  return JSON.stringify([severity, code, definition, action, bucketOf(failure, throttleMs), ...own]);
}

function bucketOf({ failedAt }: Failure, throttleMs: number): number {
  return throttleMs === 0 ? failedAt : Math.floor(failedAt / throttleMs);
}
