// Operator commands for single occurrences: start one now, or skip a coming one. The schedule itself does not change.
import { refuse } from "#schema/refusal.ts";
import { RECURRING_SKIPS_MAX } from "#schema/limits/recurring-actions.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { admitOccurrence } from "./admit.ts";
import { changeState, recordOccurrence, type StepInProgress } from "./step-in-progress.ts";
import type { CommandRefusal } from "./controls.ts";
import { armNext } from "./fire.ts";
import { scheduledAfter } from "./occurrences.ts";

/**
 * Starts an occurrence now, unless the overlap setting makes it wait or skips it. It does not count towards the maximum
 * number. Returns null if it waits for the previous occurrence.
 */
export function triggerNow(step: StepInProgress, inputId: string): OccurrenceRow | null {
  return admitOccurrence(step, {
    id: `trigger/${inputId}`,
    kind: "trigger",
    nominal: null,
    at: step.now,
    reason: "triggered",
  });
}

/** Skips the occurrence at the instant `named`; if `named` is null, skips the next one. */
export function skipOccurrence(
  step: StepInProgress,
  named: number | null,
  reason: string | null,
): OccurrenceRow | CommandRefusal {
  const { state, now } = step;
  const nominal = named ?? state.next?.nominal ?? null;
  if (nominal === null) return refuse(nothingToSkip);
  if (nominal !== state.next?.nominal) {
    if (nominal <= now) return refuse(notComing("is in the past"));
    if (scheduledAfter(state.spec, nominal - 1) !== nominal)
      return refuse(notComing("is not an instant at which the cron expression fires"));
    if (state.skips.includes(nominal)) return refuse(notComing("has already been skipped"));
  }
  if (state.skips.length >= RECURRING_SKIPS_MAX) return refuse(tooManySkips);
  const of = { id: String(nominal), kind: "schedule", nominal, at: nominal } as const;
  const row = recordOccurrence(step, of, { outcome: "excluded", reason: reason ?? "skipped_by_request" });
  changeState(step, { skips: [...state.skips, nominal].toSorted((a, b) => a - b) });
  if (nominal === state.next?.nominal) {
    changeState(step, { doneUntil: Math.max(state.doneUntil, Math.min(nominal, now)) });
    armNext(step);
  }
  return row;
}

function notComing(message: string) {
  return {
    code: "invalid_input",
    message: `The instant in "occurrence" ${message}.`,
    hint: "GET /v1/recurring/{id}/occurrences lists the future occurrences.",
    errors: [{ pointer: "/occurrence", code: "occurrence_not_planned", message }],
  } as const;
}

const nothingToSkip = {
  code: "invalid_input",
  message: "The recurring action has no future occurrence that could be skipped.",
  hint: 'If the recurring action is paused, name the occurrence in "occurrence". If the recurring action has ended, it has no occurrence to skip.',
  errors: [
    {
      pointer: "/occurrence",
      code: "required",
      message: "is missing, and the recurring action has no next occurrence",
    },
  ],
} as const;

const tooManySkips = {
  code: "limit_exceeded",
  message: `At most ${RECURRING_SKIPS_MAX} future occurrences of a recurring action can be skipped (RECURRING_SKIPS_MAX).`,
  hint: "Pause the recurring action, or change its cron expression.",
  errors: [
    {
      pointer: "/occurrence",
      code: "too_many",
      message: `cannot be skipped, because ${RECURRING_SKIPS_MAX} occurrences are already skipped, which is the limit`,
    },
  ],
  details: { field: "skips", limit: RECURRING_SKIPS_MAX },
} as const;
