// The worker's view: converts the engine's data to the field names of this view.
import { typeAliases } from "#schema/definition/action-type.ts";
import { actionRun } from "#schema/engine/action-status.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { firstStartOf, type Run, type RunStatus } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { actionQueues, CONSUMER, type Backlog, type QueueSettings } from "#schema/engine/installation.ts";
import type { AcceptedDelivery } from "#schema/inbound/delivery.ts";
import type { StartedBy } from "#schema/inbound/started-by.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { toInstant } from "#schema/values.ts";
import { storedErrorOf } from "../actions/present.ts";
import { runWordOf } from "./statuses.ts";
import { redactResult } from "../short-lived.ts";
import type {
  ApiStreamInfo,
  ApiWorkerExecution,
  ApiWorkerExecutionSummary,
  ApiWorkerStatistics,
  ApiWorkerStatus,
  ApiWorkerTestEvent,
} from "./shape.ts";

type Statistics = { readonly byStatus: { readonly [status in RunStatus]: number }; readonly since: number | null };
type Info = {
  readonly queues: readonly (QueueSettings & { readonly backlog: Backlog | null })[];
  readonly queued: number;
  readonly retry: number;
  readonly oldestQueuedAt: number | null;
};

export function presentStatus(running: boolean, info: Info): ApiWorkerStatus {
  return { consumerName: CONSUMER, running, streamInfo: streamOf(info) };
}

export function presentStatistics({ byStatus, since }: Statistics): ApiWorkerStatistics {
  const { scheduled, queued, running, ok, retry, failed, canceled, skipped } = byStatus;
  return {
    queued: queued + scheduled,
    running,
    ok,
    retry,
    failed,
    canceled: canceled + skipped,
    byStatus: { ...byStatus },
    since: toInstant(since),
  };
}

export function presentStreamInfo(info: Info): ApiStreamInfo {
  return {
    ...streamOf(info),
    queued: info.queued,
    retry: info.retry,
    oldestQueuedAt: toInstant(info.oldestQueuedAt),
    queues: info.queues.map(({ batchTimeoutS, backlog, ...settings }) => ({
      ...settings,
      batchTimeoutSeconds: batchTimeoutS,
      backlog: backlog && {
        messages: backlog.messages,
        bytes: backlog.bytes,
        oldestMessageAt: toInstant(backlog.oldestAt),
      },
    })),
  };
}

function streamOf({ queued, retry, oldestQueuedAt }: Info): ApiWorkerStatus["streamInfo"] {
  const oldest = oldestQueuedAt === null ? "" : `, the oldest since ${toInstant(oldestQueuedAt)}`;
  const words = `${queued} queued${oldest}; ${retry} waiting for a retry`;
  return { streamKey: actionQueues[0].queue, consumerGroup: CONSUMER, streamInfo: words };
}

type Tried = Pick<AcceptedDelivery, "execution" | "status" | "reason"> & { readonly id: string | null };
type Listed = RunRow & { readonly startedBy: StartedBy | null };

export function presentWorkerSummary(run: Listed): ApiWorkerExecutionSummary {
  return {
    id: run.execution,
    runId: run.id,
    ...modeOf(run.startedBy),
    areaId: run.namespace,
    type: serviceOf(run.type),
    action: run.action,
    status: runWordOf(run.status),
    attempt: run.attempt,
    queuedAt: toInstant(run.createdAt),
    dueAt: toInstant(run.dueAt),
    finishedAt: toInstant(run.finishedAt),
    correlationId: run.correlationId,
    error: storedErrorOf(run),
  };
}

/**
 * Presents one run of an execution as the worker's view does. If the execution has several runs, the last created run
 * is shown.
 */
export function presentWorkerExecution(state: ExecutionState): ApiWorkerExecution {
  const run = state.standalone === undefined ? state.runs.at(-1) : actionRun(state);
  const begun = run?.attempts[0];
  return {
    id: state.id,
    runId: run?.id ?? "",
    ...modeOf(state.startedBy ?? null),
    areaId: state.namespace,
    type: run === undefined ? "" : serviceOf(run.type),
    action: run?.action ?? "",
    status: run === undefined ? "QUEUED" : runWordOf(run.status),
    attempt: run?.attempt ?? 0,
    queuedAt: toInstant(run?.createdAt ?? state.createdAt),
    dueAt: toInstant(run?.dueAt ?? null),
    startedAt: toInstant(begun === undefined ? null : firstStartOf(begun)),
    finishedAt: toInstant(run?.finishedAt ?? null),
    inputPayload: state.variables,
    outputPayload: run === undefined ? null : outputOf(run),
    error: run?.error ?? null,
    correlationId: state.correlationId,
    dedupKey: state.standalone?.dedup?.key ?? null,
  };
}

function modeOf(by: StartedBy | null): Pick<ApiWorkerExecution, "actionInstanceId" | "activationModeId"> {
  return { actionInstanceId: by?.trigger ?? null, activationModeId: by?.kind ?? null };
}

function outputOf(run: Run): JsonObject | null {
  const last = run.attempts.at(-1);
  if (run.status !== "ok" || last === undefined || last.endedAt === null) return null;
  const service = serviceOf(run.type);
  const answered = redactResult(run.type, run.result);
  return {
    ...messageOf(run, service),
    ...(isObject(answered) ? answered : { result: answered }),
    service,
    action: run.action,
    executedAt: toInstant(last.endedAt),
    executionDuration: `${last.endedAt - last.startedAt}ms`,
    type: service,
  };
}

const MESSAGES: ReadonlySet<string> = new Set(["email", "sms", "slack", "notification"]);

/** The recipient, subject and status of a message, as far as the config has them. */
function messageOf({ config }: Run, service: string): JsonObject {
  if (config === null || !MESSAGES.has(service)) return {};
  const { to = config["recipient"] ?? config["phoneNumber"] ?? config["channel"], subject } = config;
  return { ...(to === undefined ? {} : { to }), ...(subject === undefined ? {} : { subject }), status: "sent" };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the name that the worker's view uses for an action type. A type that has no such name keeps the engine's
 * name.
 */
function serviceOf(type: string): string {
  return Object.keys(typeAliases).find((alias) => typeAliases[alias] === type) ?? type;
}

export function presentTestEvent(tried: Tried, dryRun: boolean): ApiWorkerTestEvent {
  const { id, execution, status, reason } = tried;
  return { eventId: id, executionId: execution, status, reason, dryRun };
}
