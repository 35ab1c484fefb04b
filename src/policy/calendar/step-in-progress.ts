// The step of a recurring action while it is computed: the state so far, rows to store, and events to log.
import type { RecurringState, OccurrenceRow, PendingDispatch, WaitingOccurrence } from "#schema/recurring/state.ts";

export type RecurringEvent = {
  readonly event: `recurring.${string}`;
  readonly level: "info" | "warn" | "error";
  readonly [more: string]: string | number | null;
};

export type StepInProgress = {
  state: RecurringState;
  readonly now: number;
  readonly rows: OccurrenceRow[];
  readonly events: RecurringEvent[];
};

export function changeState(step: StepInProgress, changes: Partial<RecurringState>): void {
  step.state = { ...step.state, ...changes };
}

type Planned = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at">;
type Fate = Pick<OccurrenceRow, "outcome" | "reason"> & Partial<OccurrenceRow>;

/** Adds the row of an occurrence. If the same step adds another row for it later, only the later row is stored. */
export function recordOccurrence(step: StepInProgress, { id, kind, nominal, at }: Planned, fate: Fate): OccurrenceRow {
  const row = {
    id,
    at: nominal ?? at,
    kind,
    nominal,
    until: null,
    count: 1,
    isCapped: false,
    recordedAt: step.now,
    dispatchedAt: null,
    execution: null,
    error: null,
    ...fate,
  };
  step.rows.push(row);
  return row;
}

/** Returns how many further occurrences the maximum number allows; Infinity if there is no maximum. */
export function roomLeft({ spec, count, pending, waiting }: RecurringState): number {
  if (spec.maxExecutions === null) return Infinity;
  const under = [...pending, ...(waiting === null ? [] : [waiting])].filter(isCounted).length;
  return spec.maxExecutions - count - under;
}

export function isCounted({ kind }: Pick<WaitingOccurrence, "kind">): boolean {
  return kind === "schedule";
}
