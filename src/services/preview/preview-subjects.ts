// Virtual runs of many subjects of one definition, one after the other or all on one clock.
import type { Computation } from "#kernel/computing/computation.ts";
import { jsonBytes } from "#kernel/language/json-values.ts";
import { BYTES_PER_UNIT } from "#kernel/computing/work.ts";
import { rowsOf, sortRows } from "#kernel/virtual/calendar.ts";
import { runVirtually } from "#kernel/virtual/virtual-run.ts";
import { openRunLimits } from "#policy/forecast/run-limits.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import {
  PREVIEW_CONFIG_BYTES_MAX,
  PREVIEW_CONTENTS_BYTES_MAX,
  PREVIEW_ROWS_MAX,
} from "#schema/limits/planning/previews.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { CalendarRow } from "#schema/virtual/calendar.ts";
import type { CutReason, ExpectedAction, RefusedInput, VirtualRun } from "#schema/virtual/expected-actions.ts";
import { startCommandOf, type Simulation, type PreviewSubject } from "./virtual-subjects.ts";
import { playTogether } from "./preview-together.ts";

const UNITS_A_ROW = 4;

/**
 * The result of simulating one subject: the refusal, or the last status and states. `cut` says why the simulation
 * stopped early; null if it did not.
 */
export type SubjectEnd = {
  readonly subject: string;
  readonly refused: Refusal | null;
  readonly status: ExecutionStatus | null;
  readonly states: readonly string[];
  readonly notTaken: readonly RefusedInput[];
  readonly cut: CutReason | null;
  /** waits_for_operator: an action fails permanently, and an operator must decide. null: no decision is necessary. */
  readonly reason: "waits_for_operator" | null;
};
export type Calendar = {
  readonly rows: readonly CalendarRow[];
  readonly ends: readonly SubjectEnd[];
  /** The number of subjects that were not simulated, because the limit of rows, steps or cost was reached. */
  readonly left: number;
};

export function* previewSubjects(playing: Simulation, subjects: readonly PreviewSubject[]): Computation<Calendar> {
  const { connections } = playing;
  const together = connections && (yield* playTogether(playing, connections, subjects));
  const rows: CalendarRow[] = [];
  const ends: SubjectEnd[] = [];
  const { purse } = playing;
  const contents = { left: PREVIEW_CONTENTS_BYTES_MAX };
  while (ends.length < subjects.length) {
    const subject = subjects[ends.length];
    const isSpent = together === null && (purse.steps <= 0 || purse.work <= 0);
    if (subject === undefined || rows.length >= PREVIEW_ROWS_MAX || isSpent) break;
    const played = together?.[ends.length] ?? (yield* playOne(playing, subject));
    ends.push(endOf(subject.id, played));
    if (played.ok) yield* addRows(rows, playing, subject.id, played.value.actions, contents);
  }
  return { rows: yield* sortRows(rows), ends, left: subjects.length - ends.length };
}

function playOne(
  playing: Simulation,
  { execution, variables, startAt, given }: PreviewSubject,
): Computation<Result<VirtualRun>> {
  const { program, until, assume, purse, contents, policies } = playing;
  const start = startCommandOf(playing, execution, variables);
  return runVirtually({
    program,
    start,
    startAt,
    until,
    given,
    assume,
    budget: purse,
    contents,
    ...openRunLimits(policies),
  });
}

function endOf(subject: string, played: Result<VirtualRun>): SubjectEnd {
  if (!played.ok) {
    return { subject, refused: played.refusal, status: null, states: [], notTaken: [], cut: null, reason: null };
  }
  const { status, states, notTaken, cut, waitsForOperator }: VirtualRun = played.value;
  const reason = waitsForOperator ? "waits_for_operator" : null;
  return { subject, refused: null, status, states, notTaken, cut, reason };
}

function* addRows(
  rows: CalendarRow[],
  { from, until }: Simulation,
  subject: string,
  actions: readonly ExpectedAction[],
  room: { left: number },
): Computation<void> {
  for (const row of rowsOf(subject, actions)) {
    const { at, config } = row.expected;
    if (rows.length >= PREVIEW_ROWS_MAX) return;
    if (at !== null && ((from !== null && at < from) || at > until)) continue;
    if (config === null) rows.push(row);
    else rows.push({ ...row, expected: { ...row.expected, config: configWithinLimit(config, room) } });
    yield config === null ? UNITS_A_ROW : UNITS_A_ROW + jsonBytes(config) / BYTES_PER_UNIT;
  }
}

/**
 * Returns the config for the answer. Returns null if it is larger than one config may be, or larger than the remaining
 * space for all configs.
 */
function configWithinLimit(config: JsonObject, room: { left: number }): JsonObject | null {
  const bytes = jsonBytes(config);
  if (bytes > PREVIEW_CONFIG_BYTES_MAX || bytes > room.left) return null;
  room.left -= bytes;
  return config;
}
