// Steps a recurring action: an input gives a new state and rows for its occurrences. Pure: the current time is part of
// the input, and starts that must be sent are part of the state.
import { refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { RECURRING_RECEIPTS_MAX, RECURRING_STALE_MS } from "#schema/limits/recurring-actions.ts";
import type {
  DispatchOutcome,
  RecurringRequest,
  RecurringHealth,
  RecurringTerms,
  RecurringView,
} from "#schema/recurring/calls.ts";
import { RECURRING_VERSION, type OccurrenceRow, type RecurringState } from "#schema/recurring/state.ts";
import { skipOccurrence, triggerNow } from "./trigger-and-skip.ts";
import { followCalendars, pauseSchedule, resumeOrRefuse, updateSettings, type CommandRefusal } from "./controls.ts";
import { changeState, type StepInProgress, type RecurringEvent } from "./step-in-progress.ts";
import { endIfDone, fireDue, startWaiting } from "./fire.ts";
import { neverDue } from "./never-due.ts";
import { slotAfter } from "./occurrences.ts";
import { recordCanceled, recordCheckFailure, recordChecked, applyOutcomes, recordUnreached } from "./outcomes.ts";

/** The time of the input in epoch ms. `isOff`: recurring actions are disabled in this installation. */
type Stamp = { readonly now: number; readonly isOff: boolean };

export type RecurringInput = Stamp &
  (
    | { readonly kind: "ask"; readonly ask: RecurringRequest }
    | { readonly kind: "fire" }
    | { readonly kind: "start" }
    | { readonly kind: "outcomes"; readonly outcomes: readonly DispatchOutcome[] }
    | { readonly kind: "unreached"; readonly ids: readonly string[]; readonly message: string }
    | { readonly kind: "looked"; readonly running: readonly string[]; readonly asked: readonly string[] }
    | { readonly kind: "look_failed"; readonly message: string }
    | { readonly kind: "canceled"; readonly executions: readonly string[] }
    /** The recurring action cannot continue, because its expression or time zone is no longer valid. */
    | { readonly kind: "broken"; readonly message: string }
  );

export type RecurringStep =
  | {
      readonly ok: true;
      readonly state: RecurringState;
      /** The rows to store. If a step contains several rows for one occurrence, the last one is stored. */
      readonly rows: readonly OccurrenceRow[];
      readonly events: readonly RecurringEvent[];
      /** The row of the occurrence that the command has started or skipped; null for all other inputs. */
      readonly occurrence: OccurrenceRow | null;
    }
  | { readonly ok: false; readonly refusal: Refusal };

export function openRecurring(terms: RecurringTerms, now: number): Result<RecurringState> {
  const { tenant, id, fingerprint, spec, createdAt, enabled, known } = terms;
  const empty = { lastError: null, waiting: null, looking: null, audit: null } as const;
  const before = known ?? { seq: 0, count: 0, failed: 0, lastExecutedAt: null };
  const state: RecurringState = {
    v: RECURRING_VERSION,
    tenant,
    id,
    fingerprint,
    spec,
    createdAt,
    updatedAt: createdAt,
    ...empty,
    status: "active",
    statusReason: null,
    pause: null,
    next: null,
    doneUntil: now,
    ...before,
    skips: [],
    pending: [],
    live: [],
    receipts: [],
    seq: before.seq + 1,
  };
  const next = slotAfter(state, now);
  if (next === null) return refuse(neverDue);
  const initial = enabled
    ? { next }
    : ({ status: "paused", statusReason: "created_paused", pause: { at: now, from: null } } as const);
  return { ok: true, value: { ...state, ...initial } };
}

export function stepRecurring(before: RecurringState, input: RecurringInput): RecurringStep {
  const step: StepInProgress = { state: before, now: input.now, rows: [], events: [] };
  const result = apply(step, input);
  if (result !== null && "refusal" in result) return result;
  endIfDone(step);
  const state = step.state === before ? before : { ...step.state, seq: before.seq + 1 };
  return { ok: true, state, rows: step.rows, events: step.events, occurrence: result };
}

function apply(step: StepInProgress, input: RecurringInput): OccurrenceRow | CommandRefusal | null {
  switch (input.kind) {
    case "ask":
      return applyCommand(step, input.ask, input.isOff);
    case "fire":
      fireDue(step, input.isOff);
      return null;
    case "start":
      startWaiting(step);
      return null;
    case "outcomes":
      applyOutcomes(step, input.outcomes);
      return null;
    case "unreached":
      recordUnreached(step, input.ids, input.message);
      return null;
    case "looked":
      recordChecked(step, input.running, input.asked);
      return null;
    case "look_failed":
      recordCheckFailure(step, input.message);
      return null;
    case "canceled":
      recordCanceled(step, input.executions);
      return null;
    case "broken":
      changeState(step, { status: "error", statusReason: input.message, next: null });
      step.events.push({ event: "recurring.broken", level: "error", message: input.message });
      return null;
  }
}

/** Applies a client's command. All due work comes first, because a command applies to future occurrences only. */
function applyCommand(
  step: StepInProgress,
  command: RecurringRequest,
  isOff: boolean,
): OccurrenceRow | CommandRefusal | null {
  fireDue(step, isOff);
  endIfDone(step);
  const result = applyVerb(step, command);
  if (result !== null && "refusal" in result) return result;
  const { inputId, fingerprint, audit } = command;
  const occurrence = result && { at: result.at, id: result.id };
  const receipts = fingerprint === null ? [] : [{ inputId, fingerprint, occurrence }];
  changeState(step, { audit, receipts: [...step.state.receipts, ...receipts].slice(-RECURRING_RECEIPTS_MAX) });
  step.events.push({ event: `recurring.${command.verb}`, level: "info", actor: audit.actor });
  return result;
}

function applyVerb(step: StepInProgress, command: RecurringRequest): OccurrenceRow | CommandRefusal | null {
  const updatedAt = Math.max(step.now, step.state.updatedAt + 1);
  switch (command.verb) {
    case "update":
      if (command.asOf !== step.state.updatedAt) return refuse(changedMeanwhile);
      return updateSettings(step, command.change, command.enabled);
    case "pause":
      if (step.state.status === "active") changeState(step, { updatedAt });
      pauseSchedule(step);
      return null;
    case "resume":
      if (step.state.status === "paused") changeState(step, { updatedAt });
      return resumeOrRefuse(step, command.catchUp);
    case "trigger":
      return triggerNow(step, command.inputId);
    case "skip":
      return skipOccurrence(step, command.nominal, command.reason);
    case "follow":
      followCalendars(step, command.calendars);
      return null;
  }
  // During a deployment, newer code may send a command that this older version does not support.
  return refuse({
    code: "unavailable",
    message: "The recurring action's Durable Object still runs an older version, which does not support this request.",
  });
}

export function viewRecurring(state: RecurringState, now: number): RecurringView {
  const { receipts: _receipts, audit: _audit, looking: _looking, ...view } = state;
  return { ...view, health: healthOf(state, now) };
}

function healthOf({ status, statusReason, next, pending, lastError }: RecurringState, now: number): RecurringHealth {
  if (status === "error") return { status: "failing", reason: statusReason };
  if (status === "active" && next !== null && now > next.fireAt + RECURRING_STALE_MS)
    return { status: "stale", reason: "an occurrence of the recurring action is overdue" };
  const failing = pending.find(({ tries }) => tries > 0)?.error ?? lastError;
  return failing === null ? { status: "healthy", reason: null } : { status: "failing", reason: failing };
}

const changedMeanwhile = {
  code: "unavailable",
  message: "Another request changed the recurring action at the same time.",
  hint: "Read the recurring action, then send the change again.",
  details: { why: "changed_meanwhile" },
} as const;
