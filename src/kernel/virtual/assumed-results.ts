// Assumed results of attempts: the outcome of an attempt as a runner returns it, and events that the engine sends
// later, such as the end of a task.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { resultEvents } from "#schema/engine/result-events.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { TASK_SOURCE, taskEventId } from "#schema/task.ts";
import type { AssumedOutcome, Assumptions } from "#schema/virtual/assumptions.ts";
import { assert } from "../assert.ts";
import { durationMs } from "../language/timing.ts";
import type { AttemptInProgress, LaterEvent } from "./play.ts";
import { itemOf, referencesOf } from "./run-references.ts";

export type AssumedResult = { readonly outcome: Outcome; readonly laterEvents: readonly LaterEvent[] };

/**
 * The assumed result of an attempt. If the client assumes nothing about its action, the attempt succeeds immediately,
 * and a task stays open.
 */
export function assumedResultFor(
  { actions = {} }: Assumptions,
  asked: AttemptInProgress,
  state: ExecutionState,
): AssumedResult {
  const { run, attempt } = asked;
  const reference = referencesOf(run.action, itemOf(run)).find((each) => Object.hasOwn(actions, each)) ?? "*";
  const written = actions[reference] ?? {};
  const list = Array.isArray(written) ? written : [written];
  const said = list[Math.min(attempt, list.length) - 1];
  assert(said, "a list of outcomes must contain at least one outcome");
  return resultOf(said, asked, state);
}

/** The result that an outcome assumed by the client gives for this attempt. */
export function resultOf(said: AssumedOutcome, { run, at }: AttemptInProgress, state: ExecutionState): AssumedResult {
  const endedAt = at + (said.takes === undefined ? 0 : durationMs(said.takes));
  if (said.outcome === "failed" || said.error !== undefined)
    return { outcome: failedOutcome(said, at, endedAt), laterEvents: [] };
  const events = said.events ?? (resultEvents[run.type] ?? []).map((type) => ({ type, payload: null }));
  const outcome: Outcome = {
    ok: true,
    result: said.result ?? null,
    events: events.map(({ type, payload = null }) => ({ type, payload })),
    ...(createsTask(run) ? { tasks: [{ run: run.id, id: virtualTaskId(run.id), isOpen: true }] } : {}),
    startedAt: at,
    endedAt,
  };
  return { outcome, laterEvents: laterEvents(said, run, state, endedAt) };
}

/** Error types with which every retry would fail again. */
const FINAL_ERRORS: ReadonlySet<string> = new Set([
  ...["authentication_failed", "authorization_failed", "invalid_configuration", "malformed_request", "not_found"],
  ...["recipient_unsubscribed", "effect_unknown", "execution_reverted", "insufficient_funds"],
]);

function failedOutcome({ error }: AssumedOutcome, startedAt: number, endedAt: number): Outcome {
  const { type = "service_unavailable", message = "assumed to fail", code, retryAfter } = error ?? {};
  const said: ActionError = { type, message, retryable: error?.retryable ?? !FINAL_ERRORS.has(type) };
  return {
    ok: false,
    error: code === undefined ? said : { ...said, code },
    ...(retryAfter === undefined ? {} : { retryAfterMs: Math.max(0, durationMs(retryAfter)) }),
    startedAt,
    endedAt,
  };
}

function laterEvents(
  { end }: AssumedOutcome,
  run: Run,
  { id, correlationId }: ExecutionState,
  from: number,
): LaterEvent[] {
  const { as = "completed", result = null } = end ?? {};
  const at = from + (end === undefined ? 0 : durationMs(end.after));
  const told = (event: Omit<EventMessage, "correlationId">, kind: "task" | "child"): LaterEvent[] => [
    { at, event: { ...event, correlationId }, assumes: { kind, of: run.action, as } },
  ];
  if (createsTask(run) && end !== undefined) {
    const about = { taskId: virtualTaskId(run.id), actionId: run.action, run: run.id, by: null };
    const payload: JsonObject = as === "completed" ? { ...about, result } : { ...about, reason: null };
    const type = as === "completed" ? "task_completed" : "task_canceled";
    return told({ id: taskEventId(run.id), type, payload, source: TASK_SOURCE }, "task");
  }
  if (!waitsForChild(run)) return [];
  const execution = `${id}/${run.id}`;
  const payload = { execution, status: as, run: run.id, actionId: run.action, variables: objectOf(result) };
  return told({ id: `child/${execution}`, type: childEvent(as), payload, source: "execution" }, "child");
}

function createsTask({ type, config }: Run): boolean {
  return type === "task" && (config?.["operation"] ?? "create") === "create";
}

function waitsForChild({ type, config }: Run): boolean {
  return type === "start_execution" && config?.["wait"] === true;
}

export function virtualTaskId(run: string): string {
  return `tsk_${run}`;
}

function objectOf(value: Json): Json {
  return typeof value === "object" && !Array.isArray(value) ? value : null;
}
