// Waits of each unfinished run, and when each wait ends.
import type { ZoneInUse } from "#schema/explanation/zone-in-use.ts";
import { defaults } from "#schema/defaults.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Wait } from "#schema/engine/explanation.ts";
import { currentHold, occupiesSlot, type Run } from "#schema/engine/run.ts";
import type { Json } from "#schema/json.ts";
import { actionOf, isPausedOrSuspended, type Step } from "../execution/current-step.ts";
import { latestStart, windowEffectAt } from "../execution/due/holds.ts";
import { resolveRetry } from "../execution/retries/retry.ts";
import { isBeforeFirstAttempt } from "../execution/runs.ts";
import { zoneOfWait } from "../execution/due/schedules.ts";
import type { RunWait } from "../waiting/waits.ts";
import { assert } from "../assert.ts";
import { openAnchorOf, writtenDelay } from "./anchors.ts";
import { shortValue } from "../language/rule-parts.ts";
import { explainRule, contextOfRun } from "../execution/rule-values.ts";
import { pendingLimits } from "./pending-limits.ts";

export function explainRunWait(step: Step, { run, stage, at, until }: RunWait & Until): Wait {
  switch (stage) {
    case "held":
      return releaseWait(step, run);
    case "variable":
      return anchorWait(step, run);
    case "time":
      return holdWait(step, run) ?? runWait(step, run, at);
    case "slot":
      return isPausedOrSuspended(step) ? runWait(step, run, at) : slotWait(step, run);
    case "retry":
    case "queued":
    case "running":
      return runWait(step, run, until);
  }
}

type Until = { readonly until: number | null };

function releaseWait(step: Step, run: Run): Wait {
  const held = currentHold(run);
  assert(held, `run ${run.id} is held by an operator`);
  const { since, actor, reason, dueAt } = held;
  const by = `${actor.kind}:${actor.id}`;
  const hold = { since, by, reason, dueAt, until: null };
  return { for: "release", run: run.id, action: run.action, ...hold, ...pendingLimits(step, run) };
}

function anchorWait(step: Step, run: Run): Wait {
  const { delay = 0 } = actionOf(step, run.action);
  const anchor = openAnchorOf(step, delay, contextOfRun(step, run));
  return { for: "anchor", run: run.id, timer: null, delay: writtenDelay(delay), ...anchor, until: null };
}

/**
 * The wait for the end of the hold; null if the run is not held. When an operator starts a held run early, the hold
 * stays in the state but no longer applies.
 */
function holdWait(step: Step, told: Run): Wait | null {
  const { id: run, action, held, cap, limits = [], dueAt } = told;
  if (!held || held.until !== dueAt) return null;
  const { connection, reason, until } = held;
  switch (reason) {
    case "suspended":
      return null; // a suspension holds every run, so it is listed once for the execution
    case "rate_limited":
    case "retry_after":
    case "concurrency":
    case "circuit_open":
    case "needs_attention":
    case "unavailable":
      return { for: "connection", run, action, connection, reason, until };
    case "window": {
      const { window = null } = step.program.actions.get(action) ?? {};
      const meeting = pendingLimits(step, told, "window");
      const zone = zoneOfClosedWindow(step, told);
      return { for: reason, run, action, window: shortValue(window as Json), ...zone, ...meeting, until }; // A window is plain JSON.
    }
    case "quiet_hours":
      return { for: reason, run, action, policy: held.policy ?? null, ...pendingLimits(step, told, "window"), until };
    case "cap": {
      const { name = null, subject = null, max = null } = cap ?? {};
      return { for: reason, run, action, cap: name, subject, max, ...pendingLimits(step, told, "cap"), until };
    }
    case "limit_concurrency":
    case "limit_throttle":
    case "limit_debounce":
    case "limit_singleton": {
      const { name: limit = null, ahead = null } = held.places?.find(({ stage }) => stage !== "turn") ?? {};
      const key = limits.find(({ name }) => name === limit)?.key ?? null;
      return { for: "limit", run, action, by: reason, limit, key, ahead, ...pendingLimits(step, told, "limit"), until };
    }
    case "quota":
    case "queue_share":
      return { for: reason, run, action, until };
    case "awaiting_receipt":
      return { for: "receipt", run, action, until };
  }
}

function zoneOfClosedWindow(step: Step, run: Run): ZoneInUse {
  const action = step.program.actions.get(run.action);
  const effect = action === undefined ? null : windowEffectAt(step, run, action, step.now);
  if (effect === null) return {};
  const { would: _would, until: _until, ...zone } = effect;
  return zone;
}

/** The wait for a free slot. Runs get free slots by priority, then due time, then age. */
function slotWait(step: Step, run: Run): Wait {
  const { runs } = step.state;
  const line = runs
    .filter(({ status, dueAt }) => status === "scheduled" && dueAt !== null && dueAt <= step.now)
    .toSorted((a, b) => b.priority - a.priority || Number(a.dueAt) - Number(b.dueAt));
  return {
    for: "slot",
    run: run.id,
    action: run.action,
    concurrency: step.program.definition.concurrency ?? defaults.concurrency,
    takenBy: runs.filter(occupiesSlot).map(({ id }) => id),
    ahead: line.indexOf(run),
    ...pendingLimits(step, run),
    until: null,
  };
}

function runWait(step: Step, run: Run, until: number | null): Wait {
  const action = step.program.actions.get(run.action);
  const { id, status, attempt, error } = run;
  return {
    for: "run",
    run: id,
    action: run.action,
    status,
    attempt,
    attemptsMax: (action ? resolveRetry(action.retryPolicy, "default").maxAttempts : 1) + attemptsBefore(run),
    error,
    expiresAt: action ? finite(latestStart(step, run, action)) : null,
    conditions: conditionsOf(step, run, action),
    ...zoneOfRunsDelay(step, run, action),
    ...pendingLimits(step, run),
    until,
  };
}

function zoneOfRunsDelay(step: Step, { trigger }: Run, action: ProgramAction | undefined) {
  if (action?.delay === undefined) return {};
  return zoneOfWait(step, { kind: "after", action: action.actionId, expression: action.delay, trigger });
}

function finite(at: number): number | null {
  return Number.isFinite(at) ? at : null;
}

function attemptsBefore({ redriven }: Run): number {
  return redriven?.attemptsBefore ?? 0;
}

/** The run's condition, if it will still be evaluated: when the run is due, and again after a hold. */
function conditionsOf(step: Step, run: Run, action: ProgramAction | undefined) {
  if (action?.condition === undefined || !isBeforeFirstAttempt(run)) return [];
  return [explainRule(step, "condition", action.condition, contextOfRun(step, run))];
}
