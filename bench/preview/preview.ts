// Preview benchmark: measures how long the calendar of many subjects takes, from the compiled definition to the last
// byte of the answer. It hosts no engine, because the calendar is a pure function.
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { clocks } from "#kernel/virtual/local-time.ts";
import { openPlayBudget } from "#kernel/virtual/virtual-run.ts";
import { previewSubjects } from "#services/preview/preview-subjects.ts";
import { calendarParts } from "#wire/preview/parts.ts";
import { clock } from "../clock.ts";
import { previewCouples, START, weddingJourney } from "./crowd.ts";

export type PreviewRow = {
  readonly subjects: number;
  readonly rows: number;
  readonly steps: number;
  readonly playedMs: number;
  readonly writtenMs: number;
  readonly kibibytes: number;
};

export async function measurePreview(count: number): Promise<PreviewRow> {
  const definition = weddingJourney();
  const ref = { id: "def_bench", name: definition.name, version: 1 };
  const crowd = previewCouples(count);
  const purse = openPlayBudget();
  const { steps } = purse;
  const until = START + 3 * 366 * 24 * 60 * 60_000;
  const begun = clock();
  const program = compile(definition);
  const playing = {
    program,
    ref,
    tenant: "bench",
    until,
    from: null,
    assume: {},
    contents: false,
    purse,
    connections: null,
    policies: [],
    patch: null,
  };
  const { rows, ends, left } = computeAtOnce(previewSubjects(playing, crowd));
  const played = clock();
  if (left > 0 || ends.some(({ refused }) => refused !== null)) throw new Error("not all of them were played");
  const shown = { definition: null, name: ref.name, madeAt: START, from: null, until, clocks };
  let chars = 0;
  const preview = { ...shown, rows, ends: [], subjects: count, left, compared: null };
  for (const part of calendarParts("json", preview, false)) chars += part.length;
  const written = clock();
  return {
    subjects: count,
    rows: rows.length,
    steps: steps - purse.steps,
    playedMs: Math.round(played - begun),
    writtenMs: Math.round(written - played),
    kibibytes: Math.round(chars / 1_024),
  };
}

export function previewBlock({ subjects, rows, steps, playedMs, writtenMs, kibibytes }: PreviewRow): string {
  const each = ((playedMs * 1_000) / steps).toFixed(0);
  return [
    `preview: ${subjects} subjects of the wedding journey`,
    `  ${((playedMs + writtenMs) / 1_000).toFixed(2)} s in all; aim: under 5 s for 5,000`,
    `  ${(playedMs / 1_000).toFixed(2)} s for ${steps} steps (${each} µs each), ${(writtenMs / 1_000).toFixed(2)} s to write ${rows} rows (${kibibytes} KiB)`,
  ].join("\n");
}
