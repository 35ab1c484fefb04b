// The step in progress of a recurring action: its current state and its rows.
import type { RecurringState, OccurrenceRow, PendingDispatch, Waiting } from "#schema/recurring/state.ts";

export type RecurringEvent = {
  readonly event: `recurring.${string}`;
  readonly level: "info" | "warn" | "error";
  readonly [more: string]: string | number | null;
};

export type Current = {
  state: RecurringState;
  readonly now: number;
  readonly rows: OccurrenceRow[];
  readonly events: RecurringEvent[];
};

export function change(step: Current, changes: Partial<RecurringState>): void {
  step.state = { ...step.state, ...changes };
}

type Planned = Pick<PendingDispatch, "id" | "kind" | "nominal" | "at">;
type Fate = Pick<OccurrenceRow, "outcome" | "reason"> & Partial<OccurrenceRow>;

/** An occurrence's row; the last write counts. */
export function record(step: Current, { id, kind, nominal, at }: Planned, fate: Fate): OccurrenceRow {
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

/** Whether another occurrence fits under the maximum; null: there is no maximum. */
export function roomLeft({ spec, count, pending, waiting }: RecurringState): number {
  if (spec.maxExecutions === null) return Infinity;
  const under = [...pending, ...(waiting === null ? [] : [waiting])].filter(isCounted).length;
  return spec.maxExecutions - count - under;
}

export function isCounted({ kind }: Pick<Waiting, "kind">): boolean {
  return kind === "schedule";
}
