// Previews as API objects. Rows are converted while they are sent, because a preview may have a hundred thousand rows.
import type { Refusal } from "#schema/refusal.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import { PREVIEW_ENDS_MAX } from "#schema/limits/planning/previews.ts";
import { toInstant } from "#schema/values.ts";
import type { CalendarChange, CalendarRow } from "#schema/virtual/calendar.ts";
import type { CutReason, RefusedInput } from "#schema/virtual/expected-actions.ts";
import type { ApiPreview, ApiPreviewChange, ApiPreviewRow, ApiSubjectEnd } from "./shape.ts";
import { assumptionSays } from "./assumption.ts";

type LocalTime = {
  readonly local: string;
  readonly utcOffset: string;
  readonly dst: NonNullable<ApiPreviewRow["dst"]>;
};
export type Clocks = (at: number, timezone: string) => LocalTime;

type End = {
  readonly subject: string;
  readonly refused: Refusal | null;
  readonly status: ExecutionStatus | null;
  readonly states: readonly string[];
  readonly notTaken: readonly RefusedInput[];
  readonly cut: CutReason | null;
  readonly reason: ApiSubjectEnd["reason"];
};
export type PresentedPreview = {
  readonly definition: { readonly name: string; readonly version: number } | null;
  readonly name: string;
  readonly madeAt: number;
  readonly from: number | null;
  readonly until: number;
  readonly subjects: number;
  readonly left: number;
  readonly clocks: Clocks;
  readonly rows: readonly CalendarRow[];
  readonly ends: readonly End[];
  readonly compared: { readonly changes: readonly CalendarChange[]; readonly unchanged: number } | null;
};

export function presentRow({ subject, nth, expected }: CalendarRow, clocks: Clocks, contents: boolean): ApiPreviewRow {
  const { action, type, place, at, timezone, plannedAt, heldBy, status, reason, attempts, assumes, config } = expected;
  const shown = at === null ? { local: null, utcOffset: null, dst: null } : clocks(at, timezone);
  return {
    subject,
    action,
    nth,
    type,
    place,
    at: toInstant(at),
    ...shown,
    timezone,
    plannedAt: toInstant(plannedAt),
    heldBy,
    status,
    reason,
    attempts,
    isSure: assumes.length === 0,
    assumes: assumes.map(assumptionSays),
    ...(contents ? { config } : {}),
  };
}

export function presentChange(
  { kind, row, from }: CalendarChange,
  clocks: Clocks,
  contents: boolean,
): ApiPreviewChange {
  return { ...presentRow(row, clocks, contents), change: kind, from: toInstant(from) };
}

/** Presents a preview without its rows and changes. */
export function presentAround(preview: PresentedPreview): Omit<ApiPreview, "rows" | "changes"> {
  const { definition, name, madeAt, from, until, subjects, left, ends } = preview;
  return {
    definition: definition === null ? name : `${definition.name}@${definition.version}`,
    madeAt: toInstant(madeAt),
    from: toInstant(from),
    until: toInstant(until),
    subjects,
    left,
    counts: countsOf(preview),
    ends: ends.slice(0, PREVIEW_ENDS_MAX).map(presentEnd),
    endsMore: Math.max(0, ends.length - PREVIEW_ENDS_MAX),
  };
}

function countsOf({ rows, compared }: PresentedPreview): ApiPreview["counts"] {
  const counts: { [name: string]: number } = compared === null ? {} : { unchanged: compared.unchanged };
  const names = compared?.changes.map(({ kind }) => kind) ?? rows.map(({ expected }) => expected.status);
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function presentEnd({ refused, notTaken, states, ...end }: End): ApiSubjectEnd {
  return {
    ...end,
    states: [...states],
    refused: refused === null ? null : { code: refused.code, message: refused.message },
    notTaken: notTaken.map((each) => ({ ...each, at: toInstant(each.at) })),
  };
}
