// The record of a virtual run: one row per run, built from the journal. The play does not read the record.
import type { JournalEntry } from "#schema/engine/journal.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ExpectedAction } from "#schema/virtual/expected-actions.ts";
import { assert } from "../assert.ts";
import { itemOf } from "./run-references.ts";
import type { Computation } from "../computing/computation.ts";
import { inParts } from "../computing/in-parts.ts";
import type { AcceptedStep } from "../execution/step.ts";
import { delayObject } from "../language/timing.ts";
import { isZoneByRule, shownZone, type ZoneSettings } from "../language/zone-settings.ts";
import type { Program } from "../execution/program.ts";
import {
  recordCauses,
  openCauses,
  mergeAssumptions,
  NO_ASSUMPTIONS,
  assumptionsOf,
  type AssumptionCauses,
  type AssumptionList,
} from "./assumption-causes.ts";

type Row = { -readonly [Field in keyof ExpectedAction]: ExpectedAction[Field] };

export type PlayRecord = {
  readonly program: Program;
  readonly reasons: AssumptionCauses;
  /** The rows of the record, by the run's id. */
  readonly rows: Map<string, Row>;
  /** The states and nodes that the virtual run has reached. */
  readonly reached: Set<string>;
  /** Whether the record stores configs, which are its largest part. */
  readonly contents: boolean;
};

export function openRecord(program: Program, contents: boolean): PlayRecord {
  return { program, reasons: openCauses(program), rows: new Map(), reached: new Set(), contents };
}

export function* recordStep(
  record: PlayRecord,
  { state, entries }: Pick<AcceptedStep, "state" | "entries">,
  cause: AssumptionList,
): Computation<void> {
  recordCauses(record.reasons, entries, state, cause);
  const zones = yield* zonesByRule(record, entries, state);
  for (const entry of entries) recordEntry(record, entry, state, zones);
}

/** The zone of each action that a rule gives. An action whose zone has a name is not in it. */
type Zones = ReadonlyMap<string, string>;

function* zonesByRule(
  { program, rows }: PlayRecord,
  entries: readonly JournalEntry[],
  { runs, variables }: ExecutionState,
): Computation<Zones> {
  const zones = new Map<string, string>();
  for (const entry of entries) {
    if (!("run" in entry) || rows.has(entry.run)) continue;
    const action = runs.find(({ id }) => id === entry.run)?.action;
    if (action === undefined || zones.has(action)) continue;
    const settings = zonesOfAction(program, action);
    if (!isZoneByRule(settings)) continue;
    zones.set(action, yield* inParts((work) => shownZone(settings, variables, work)));
  }
  return zones;
}

/** Lists the actions in the order of dispatch. A run that was canceled before its first attempt is left out. */
export function expectedActions({ rows, reasons }: PlayRecord, { runs }: ExecutionState): readonly ExpectedAction[] {
  // A waiting run may have been rescheduled without a journal entry, so its row is updated from the run.
  for (const run of runs) {
    const row = rows.get(run.id);
    if (row !== undefined && !isFinalRun(run.status)) updateRow(row, run);
  }
  const kept = [...rows.values()].filter(({ status, attempts }) => status !== "canceled" || attempts > 0);
  for (const row of kept) {
    row.assumes = mergeAssumptions(assumptionsOf(reasons.made, row.run), assumptionsOf(reasons.reads, row.run));
  }
  return kept.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity));
}

function recordEntry(record: PlayRecord, entry: JournalEntry, state: ExecutionState, zones: Zones): void {
  if (entry.kind === "moved") recordReached(record, entry.to);
  if (!("run" in entry)) return;
  const run = state.runs.find(({ id }) => id === entry.run);
  // The entry is about an occurrence that its schedule skipped, because the previous run was unfinished. Such an entry
  // names no run.
  if (run === undefined) return;
  const row = record.rows.get(run.id) ?? openRow(record, run, zones);
  if (entry.kind === "run_dispatched") recordDispatch(row, entry.at, run);
  else if (entry.kind === "run_claimed" && record.contents) row.config = run.config;
  else if (entry.kind === "run_held") row.heldBy = entry.reason;
  updateRow(row, run);
}

/** Adds the states that an entry names to the reached states, with all their ancestors. */
function recordReached({ reached }: PlayRecord, to: string): void {
  for (const leaf of to.split(", ")) {
    const parts = leaf.split(".");
    for (let depth = 1; depth <= parts.length; depth += 1) reached.add(parts.slice(0, depth).join("."));
  }
}

function openRow({ rows, program }: PlayRecord, run: Run, zones: Zones): Row {
  const { id, action, type, boundTo, dueAt } = run;
  const row: Row = {
    run: id,
    action,
    item: itemOf(run),
    type,
    place: boundTo,
    timezone: zones.get(action) ?? shownZone(zonesOfAction(program, action), {}),
    at: dueAt,
    plannedAt: dueAt,
    heldBy: null,
    attempts: 0,
    endedAt: null,
    config: null,
    status: "scheduled",
    reason: null,
    error: null,
    assumes: NO_ASSUMPTIONS,
  };
  rows.set(id, row);
  return row;
}

/** The zones of an action's window, of its delay, of the action and of the definition. The first one that is set applies. */
function zonesOfAction({ actions, delays, definition }: Program, id: string): ZoneSettings {
  const action = actions.get(id);
  assert(action, `the action of run ${id} is in the definition`);
  const { window, timezone, delay } = action;
  const written = delay === undefined ? undefined : delayObject(delay, delays ?? definition.delays ?? {});
  return [window?.timezone, written?.timezone, timezone, definition.timezone];
}

function recordDispatch(row: Row, at: number, { firstDueAt }: Run): void {
  if (row.attempts > 0) return;
  Object.assign(row, { at, plannedAt: firstDueAt });
  if (firstDueAt !== at) row.heldBy ??= "slot";
}

/**
 * Updates a row from its run. Attempts that were not made do not count: after a hold, and after a dispatch that the
 * same step canceled.
 */
function updateRow(row: Row, { status, dueAt, firstDueAt, reason, error, finishedAt, attempts }: Run): void {
  Object.assign(row, { status, reason, error, endedAt: finishedAt, attempts: attempts.length });
  if (attempts.length > 0 || status === "queued") return;
  row.plannedAt = firstDueAt ?? dueAt;
  row.at = isFinalRun(status) ? finishedAt : dueAt;
}
