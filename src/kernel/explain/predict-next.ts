// The prediction of the next journal entry. It simulates the step that would write this entry, such as a tick at the
// next wake, or the claim or settlement of a run. It assumes that nothing arrives from outside, and discards the
// simulated steps.
import type { Cause, PredictedEntry } from "#schema/engine/explanation.ts";
import type { Command } from "#schema/engine/input.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import { isBeforeFirstMove } from "#schema/key-limits/start-place.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { PREDICTED_RUNS_MAX, PREDICTED_WAKES_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { childRequests } from "../execution/children/children-on-end.ts";
import { outboxOf } from "../execution/outbox/own-outbox.ts";
import { step, type AcceptedStep } from "../execution/step.ts";
import { taskUpdates } from "../execution/tasks/task-updates.ts";
import { overdueAt, resendAt, sentAgainAt } from "../waiting/deadlines.ts";
import { nextWake } from "../waiting/next-instants.ts";
import type { ExplanationInput } from "./explanation-input.ts";
import { identifyingFields, remainingEntries } from "./entry-lines.ts";

/** The cost units that are left for all simulated steps of one explanation. */
export type ExplanationBudget = { left: number };

export function predictNext(known: ExplanationInput): readonly PredictedEntry[] {
  const { quarantined, now, state } = known;
  if (quarantined) return [predictRecheck(quarantined)];
  const purse: ExplanationBudget = { left: STEP_WORK_MAX };
  const inHand = [...predictFromRuns(known, purse), ...predictConfirmations(known)];
  const timely = known.suspended ? [] : predictByTime(known, purse);
  const isDue = timely.some(({ at }) => Number(at) <= now);
  const own = isDue ? [...timely, ...inHand] : [...inHand, ...timely];
  return [...own, ...(isFinalStatus(state.status) ? [] : predictAfterHold(known, purse))];
}

/** The prediction for a quarantined execution: it makes no step until its cell checks it again. */
export function predictRecheck({ lookAt }: QuarantineEntry): PredictedEntry {
  return { ...emptyPrediction("time"), earliest: lookAt };
}

export function emptyPrediction(by: Cause): PredictedEntry {
  return { kind: null, about: {}, by, at: null, earliest: null, latest: null, assumes: null, with: [], more: 0 };
}

/**
 * Predicts the next automatic entry: simulates wakes, up to a limit, until one writes an entry. The archiving of handled
 * dead letters is predicted too, but does not end the search.
 */
function predictByTime({ program, state, now }: ExplanationInput, purse: ExplanationBudget): readonly PredictedEntry[] {
  let [at, clock] = [state, now];
  const archives: PredictedEntry[] = [];
  for (let wakes = 0; wakes < PREDICTED_WAKES_MAX; wakes += 1) {
    const wake = nextWake(at, clock);
    if (wake === null) return archives;
    clock = Math.max(clock, wake);
    const made = simulateStep({ program, state: at, now: clock, suspended: false }, { kind: "tick" }, purse);
    if (made === null) return archives;
    if (made.effects.some(({ kind }) => kind === "purge")) {
      return [{ ...emptyPrediction("retention"), at: clock }, ...archives];
    }
    // A failure of the collector is not predicted, because predictions assume that the collector answers.
    if (made.entries[0]?.kind === "collector_failed") return archives;
    const [found] = predictionOf(made, "time", { at: clock });
    if (found && !archivesHandled(at, found)) return [found, ...archives];
    if (found && archives.length === 0) archives.push(found);
    // The tick of a reconciler may change nothing. The loop then simulates the next wake.
    if (made.state === at && !(Number(nextWake(at, clock)) > clock)) return archives;
    at = made.state;
  }
  return archives;
}

/**
 * True if the predicted step only archives dead letters that the definition or the parent has handled, and no state
 * accepts that event.
 */
export function archivesHandled({ runs }: ExecutionState, { kind, about, with: lines }: PredictedEntry): boolean {
  if (kind !== "dead_letter_archived" || !runs.some((run) => run.id === about["run"] && isHandled(run))) return false;
  return lines.every((line) => line.kind === "dead_letter_archived" || line.kind === "event_ignored");
}

/** Predicts one entry for each queued run. For each running run, predicts one entry per possible outcome. */
function predictFromRuns(known: ExplanationInput, purse: ExplanationBudget): readonly PredictedEntry[] {
  const { runs } = known.state;
  const queued = runs.filter(({ status }) => status === "queued");
  const running = runs.filter(({ status }) => status === "running");
  return [
    ...queued.slice(0, PREDICTED_RUNS_MAX).flatMap((run) => predictClaim(known, run, purse)),
    ...running.slice(0, PREDICTED_RUNS_MAX).flatMap((run) => predictSettlement(known, run, purse)),
  ];
}

function predictClaim(known: ExplanationInput, run: Run, purse: ExplanationBudget): readonly PredictedEntry[] {
  const { id, attempt: number, lane } = run;
  const made = simulateStep(known, { kind: "claim", run: id, attempt: number, lane: lane ?? "queue" }, purse);
  return predictionOf(made, "runner", { latest: resendAt(run) });
}

/** Predicts two entries, for a success and for a failure, because the outcome is not known yet. */
function predictSettlement(known: ExplanationInput, run: Run, purse: ExplanationBudget): readonly PredictedEntry[] {
  const span = { startedAt: known.now, endedAt: known.now };
  const ends: readonly ["ok" | "failed", Outcome][] = [
    ["ok", { ok: true, result: null, events: [], ...span }],
    ["failed", { ok: false, error: UNAVAILABLE, ...span }],
  ];
  return ends.flatMap(([assumes, outcome]) => {
    const made = simulateStep(known, { kind: "settle", run: run.id, attempt: run.attempt, outcome }, purse);
    return predictionOf(made, "runner", { latest: overdueAt(run), assumes });
  });
}

const UNAVAILABLE = { type: "service_unavailable", message: "assumed", retryable: true };

/**
 * Predicts the entries that follow when recipients confirm messages. For each kind of message only the first is
 * considered.
 */
function predictConfirmations({ state }: ExplanationInput): readonly PredictedEntry[] {
  const { correlation } = state;
  const [update] = taskUpdates(state);
  const child = childRequests(state).find(({ kind }) => kind === "cancel");
  const expected = (
    kind: OutboxKind,
    key: string | undefined,
    entry: Partial<PredictedEntry>,
  ): readonly PredictedEntry[] => {
    const message = outboxOf(state).find((each) => each.kind === kind && (key === undefined || each.key === key));
    return message ? [{ ...emptyPrediction(CONFIRMS[kind]), ...entry, latest: sentAgainAt(message) }] : [];
  };
  const parent = outboxOf(state).find(({ kind }) => kind === "child_ended")?.key;
  return [
    ...expected("subject_ended", undefined, { kind: "subject_notified" }),
    ...predictAdmission(state),
    ...expected("correlation_key", undefined, {
      kind: "correlation_key_registered",
      about: { key: correlation?.key ?? null },
    }),
    ...(parent === undefined ? [] : expected("child_ended", parent, { kind: "parent_notified", about: { parent } })),
    ...(child ? expected("child_request", child.key, { kind: "child_settled", about: { run: child.run } }) : []),
    ...(update
      ? expected("task_update", update.key, { kind: "task_updated", about: { run: update.run, update: update.kind } })
      : []),
  ];
}

const CONFIRMS: { readonly [kind in OutboxKind]: Cause } = {
  child_ended: "parent",
  task_update: "lists",
  child_request: "child",
  correlation_key: "directory",
  subject_ended: "subject",
  start_place: "limit",
};

/** The limits on starts answer when the execution asks again, or earlier when a slot becomes free. */
function predictAdmission(state: ExecutionState): readonly PredictedEntry[] {
  const { hold = null, admittedAt = null } = state.startPlace ?? {};
  if (!isBeforeFirstMove(state) || isFinalStatus(state.status) || admittedAt !== null) return [];
  return [{ ...emptyPrediction("limit"), kind: "start_admitted", earliest: hold?.until ?? null }];
}

/** Predicts the entry that follows when a pause or suspension ends. */
function predictAfterHold(known: ExplanationInput, purse: ExplanationBudget): readonly PredictedEntry[] {
  if (known.state.status === "paused") {
    return predictionOf(simulateStep(known, { kind: "resume", reason: null, ...ASSUMED }, purse), "person");
  }
  if (!known.suspended) return [];
  return predictByTime({ ...known, suspended: false }, purse).map((each) => ({
    ...each,
    by: "tenant" as const,
    at: null,
    earliest: each.at,
  }));
}

/** The actor of the inputs that a prediction assumes. */
const ENGINE = { kind: "engine", id: "engine" } as const;
/**
 * The id of the inputs that a prediction assumes. A client's id cannot contain spaces, so this id equals none of them.
 */
export const ASSUMED_INPUT_ID = "assumed by the explanation";
export const ASSUMED = { inputId: ASSUMED_INPUT_ID, fingerprint: "", unkeyed: true, actor: ENGINE } as const;

/** The prediction from the first entry of a simulated step. Empty if the step could not be simulated. */
function predictionOf(
  made: AcceptedStep | null,
  by: Cause,
  more: Partial<PredictedEntry> = {},
): readonly PredictedEntry[] {
  const { entries } = made ?? { entries: [] };
  return entries
    .slice(0, 1)
    .map((first) => ({
      ...emptyPrediction(by),
      kind: first.kind,
      about: identifyingFields(first),
      ...more,
      ...remainingEntries(entries),
    }));
}

type SimulatedExecution = Pick<ExplanationInput, "program" | "now" | "suspended"> & { readonly state: ExecutionState };

/**
 * Simulates one step, without the direct lane, because only the cell can choose that lane. Returns null if the step is
 * refused, throws, or exceeds the explanation's budget. The caller then makes no prediction.
 */
export function simulateStep(
  { program, state, now, suspended }: SimulatedExecution,
  command: Command,
  purse: ExplanationBudget,
): AcceptedStep | null {
  if (purse.left <= 0) return null;
  try {
    const made = step(program, state, { ...command, now, room: 0, ...(suspended ? { suspended } : {}) });
    if (!made.ok) return null;
    purse.left -= made.work;
    return made;
  } catch {
    return null; // If a real step throws, the cell quarantines the execution. A simulated step that throws only gives no prediction.
  }
}
