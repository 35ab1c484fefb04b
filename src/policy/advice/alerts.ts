// Alerts from rows that executions report: which failures raise one, for which channels, and which are grouped. It
// keeps no state: the same rows give the same alerts with the same ids, so a repeated row gives no second alert.
import type { AlertChannelSettings, AlertGroup, AlertSeverity, Failure } from "#schema/alert.ts";
import { ALERT_FRESH_MS } from "#schema/limits/alerting.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { ACTION_REF, ALERT_REF } from "#schema/definition/standalone.ts";
import { isCritical } from "#kernel/execution/endings.ts";

/** Rows are reported repeatedly; an old failure raises no alert, and a failing alert never raises another. */
export function alertsOf(
  executions: readonly ExecutionRow[],
  runs: readonly RunRow[],
  now: number,
): readonly Failure[] {
  const isNews = ({ failedAt, definition }: Failure): boolean =>
    failedAt > now - ALERT_FRESH_MS && definition !== ALERT_REF.name;
  const ended = executions.flatMap(executionFailure).filter(isNews);
  const stopped = new Set(ended.map(({ execution }) => execution));
  // A failure that stopped a whole execution is reported as the execution's.
  const isTold = ({ severity, execution }: Failure): boolean => severity === "critical" || !stopped.has(execution);
  return [...ended, ...runs.flatMap(deadLetter).filter(isNews).filter(isTold)];
}

function executionFailure(row: ExecutionRow): readonly Failure[] {
  const isPaused = row.status === "paused" && row.reason === "action_failed";
  const isFailed = row.status === "failed" && !isOnlyActionsEnd(row);
  if (!isPaused && !isFailed) return [];
  const { tenant, namespace, definitionName: definition, id: execution, correlationId } = row;
  const [, errorType = null, error = row.error] = /^([a-z][a-z0-9_]*): ([\s\S]*)$/.exec(row.error ?? "") ?? [];
  const about = { tenant, namespace, definition, execution, correlationId, error, errorType, errorCode: null };
  const nothingOfRuns = { action: null, run: null, attempts: null };
  const failedAt = (isPaused ? row.pausedAt : row.finishedAt) ?? row.updatedAt;
  const code = isPaused ? "execution_paused" : "execution_failed";
  const journey = row.journey ? { journey: row.journey } : {};
  return [{ severity: "high", code, ...about, ...nothingOfRuns, ...journey, failedAt }];
}

/** A standalone action has reported its own failure, so the later end of its execution raises no alert. */
function isOnlyActionsEnd({ definitionName, error }: ExecutionRow): boolean {
  return definitionName === ACTION_REF.name && error !== null && error.startsWith("machine_failed:");
}

function deadLetter(row: RunRow): readonly Failure[] {
  if (!row.deadLetter || row.finishedAt === null) return [];
  const { tenant, namespace, definition, execution, correlationId, action, errorType, errorCode, error } = row;
  const about = { tenant, namespace, definition, execution, correlationId, errorType, errorCode, error };
  const severity = isCritical(row) ? "critical" : "warning";
  const run = { action, run: row.id, attempts: row.attempt, failedAt: row.finishedAt };
  return [{ severity, code: "action_failed", ...about, ...run, ...(row.handled ? { handled: true as const } : {}) }];
}

type Ears = Pick<AlertChannelSettings, "namespaces" | "definitions"> & {
  readonly handled?: boolean | undefined;
  readonly severities: readonly AlertSeverity[];
};

/** A failure that the machine handled is reported only to channels that ask for it; a critical one to all. */
export function isNewsUnasked({ handled, severity }: Failure): boolean {
  return handled !== true || severity === "critical";
}

export function hears({ severities, namespaces, definitions, handled }: Ears, failure: Failure): boolean {
  return (
    (handled === true || isNewsUnasked(failure)) &&
    severities.includes(failure.severity) &&
    (namespaces?.includes(failure.namespace) ?? true) &&
    (definitions?.includes(failure.definition) ?? true)
  );
}

/** Time is divided into intervals of the throttle's length, the same for every observer. */
export function alertGroups(failures: readonly Failure[], throttleMs: number): readonly AlertGroup[] {
  const groups = new Map<string, Open>();
  for (const failure of failures.toSorted((a, b) => a.failedAt - b.failedAt)) {
    const identity = identityOf(failure, throttleMs);
    const group = groups.get(identity) ?? open(failure, identity, throttleMs);
    group.failures.push(failure);
    groups.set(identity, group);
  }
  return [...groups.values()];
}

type Open = AlertGroup & { readonly failures: Failure[] };

function open(first: Failure, identity: string, throttleMs: number): Open {
  const { severity, code, definition, action } = first;
  const bucket = bucketOf(first, throttleMs);
  const silentUntil = throttleMs === 0 ? null : (bucket + 1) * throttleMs;
  return { severity, code, definition, action, identity, bucket, silentUntil, failures: [] };
}

function identityOf(failure: Failure, throttleMs: number): string {
  const { severity, code, definition, action, execution, run } = failure;
  const itself = throttleMs === 0 ? [execution, run] : [];
  return JSON.stringify([severity, code, definition, action, bucketOf(failure, throttleMs), ...itself]);
}

function bucketOf({ failedAt }: Failure, throttleMs: number): number {
  return throttleMs === 0 ? failedAt : Math.floor(failedAt / throttleMs);
}
