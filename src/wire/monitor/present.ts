// The monitor's view: converts the engine's data to the field names and envelopes of this view.
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Run, RunStatus } from "#schema/engine/run.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import { toInstant } from "#schema/values.ts";
import { presentScheduled } from "../executions/present.ts";
import { redact } from "../redact.ts";
import { redactResult } from "../short-lived.ts";
import type {
  ApiControlled,
  ApiMetricsDay,
  ApiModuleAttempt,
  ApiModuleHistory,
  ApiMonitorMetrics,
  ApiMonitorStatus,
  ApiProcessed,
  ApiRetried,
} from "./shape.ts";

type Standing = Pick<ApiMonitorStatus["data"], "status" | "errorCount" | "progress"> & {
  readonly currentNode: string | null;
  readonly nodes: { readonly done: readonly string[] };
  readonly scheduled: readonly Parameters<typeof presentScheduled>[1][];
  readonly lastError: string | null;
  readonly nextAt: number | null;
  readonly variables: JsonObject;
};

export function presentStanding(execution: string, standing: Standing): ApiMonitorStatus {
  const { status, currentNode, nodes, scheduled, variables, errorCount, lastError, nextAt, progress } = standing;
  return {
    success: true,
    data: {
      status,
      ...(currentNode === null ? {} : { currentNode }),
      completedNodes: [...nodes.done],
      scheduledNodes: scheduled.map((node) => presentScheduled(execution, node)),
      variables,
      errorCount,
      ...(lastError === null ? {} : { lastError }),
      ...(nextAt === null ? {} : { nextExecution: toInstant(nextAt) }),
      progress,
    },
  };
}

type Drained = Omit<ApiProcessed["data"], "nextScheduled"> & { readonly nextScheduledAt: number | null };

export function presentDrained({ nextScheduledAt, ...counts }: Drained): ApiProcessed {
  const next = nextScheduledAt === null ? {} : { nextScheduled: toInstant(nextScheduledAt) };
  return { success: true, data: { ...counts, ...next } };
}

export function presentRetried(execution: string, { id, status, attempt, dueAt }: Run): ApiRetried {
  return {
    success: true,
    data: {
      message: "Execution retried",
      queueItemId: `${execution}.${id}`,
      executionStatus: QUEUE_WORDS[status],
      retryCount: Math.max(0, attempt - 1),
      scheduledFor: toInstant(dueAt),
    },
  };
}

const QUEUE_WORDS = {
  scheduled: "pending",
  queued: "pending",
  running: "running",
  retry: "pending",
  ok: "completed",
  failed: "failed",
  canceled: "cancelled",
  skipped: "cancelled",
} as const satisfies { readonly [status in RunStatus]: ApiRetried["data"]["executionStatus"] };

export function presentHeld(held: ApiControlled["data"]): ApiControlled {
  return { success: true, data: held };
}

type Day = {
  readonly day: number;
  readonly figures: {
    readonly outcomes: { readonly ok: number; readonly failed: number; readonly refused: number };
    readonly total: number;
    readonly successRate: number | null;
    readonly errorRate: number | null;
    readonly retried: number;
    readonly latency: { readonly average: number | null };
  };
  readonly depthMax: number;
  readonly depthSum: number;
  readonly depthSamples: number;
};
type Metrics = {
  readonly days: readonly Day[];
  readonly queueDepth: number;
  readonly errors: readonly { readonly type: string; readonly failed: number; readonly lastError: string | null }[];
};

export function presentMetrics({ days, queueDepth, errors }: Metrics): ApiMonitorMetrics {
  const today = days.at(-1)?.figures;
  return {
    success: true,
    data: {
      today: {
        totalExecutions: today?.total ?? 0,
        successRate: today?.successRate ?? 1,
        avgExecutionTime: Math.floor(today?.latency.average ?? 0),
        queueDepth,
      },
      trends: days.map((day) => ({
        date: dateOf(day),
        executions: day.figures.total,
        successRate: day.figures.successRate ?? 1,
      })),
      errors: errors.map(({ type, failed, lastError }) => ({
        moduleType: type,
        errorCount: failed,
        lastError: lastError ?? "",
      })),
    },
  };
}

export function presentDays({ days }: Metrics): { readonly data: ApiMetricsDay[] } {
  return { data: days.map(presentDay) };
}

function presentDay({ figures, depthMax, depthSum, depthSamples, ...day }: Day): ApiMetricsDay {
  const { ok, failed, refused } = figures.outcomes;
  return {
    date: dateOf(day),
    total: figures.total,
    successful: ok,
    failed,
    refused,
    retryExecutions: figures.retried,
    avgExecutionTimeMs: Math.floor(figures.latency.average ?? 0),
    queueDepthMax: depthMax,
    queueDepthAvg: mean(depthSum, depthSamples, 2),
    errorRate: figures.errorRate ?? 0,
    successRate: figures.successRate ?? 1,
  };
}

function dateOf({ day }: Pick<Day, "day">): string {
  return toInstant(day * DAY_MS).slice(0, 10);
}

function mean(sum: number, of: number, digits: number): number {
  return of === 0 ? 0 : rounded(sum / of, digits);
}

/** Rounds a percentage down, because rounding 99.99 up to 100 would hide a failure. */
function rounded(figure: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.floor(figure * scale) / scale;
}

type Made = {
  readonly execution: string;
  readonly run: string;
  readonly action: string | null;
  readonly type: string | null;
  readonly attempt: number;
  readonly config: JsonObject | null;
  readonly result: Json;
  readonly tookMs: number | null;
  readonly error: ActionError | null;
  readonly at: number;
};

export function presentHistory(of: {
  readonly data: readonly Made[];
  readonly nextCursor: string | null;
}): ApiModuleHistory {
  return { success: true, data: of.data.map(presentAttempt), nextCursor: of.nextCursor };
}

function presentAttempt(made: Made): ApiModuleAttempt {
  return {
    queueItemId: `${made.execution}.${made.run}`,
    journeyInstanceId: made.execution,
    node: made.action,
    moduleType: made.type,
    attempt: made.attempt,
    executionStatus: made.error === null ? "completed" : "failed",
    inputData: made.config === null ? null : redact(made.config),
    outputData: redactResult(made.type ?? "", made.result),
    executionTimeMs: made.tookMs,
    errorDetails: made.error,
    executedAt: toInstant(made.at),
  };
}
