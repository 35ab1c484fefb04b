// Definition preview: predicts what a definition would do for certain subjects, as a calendar of expected actions. It
// can also compute the diff of two such calendars. Nothing is written or sent.
import type { Computation } from "#kernel/computing/computation.ts";
import { diffCalendars, type CalendarDiff } from "#kernel/virtual/calendar.ts";
import { clocks, type Clocks } from "#kernel/virtual/local-time.ts";
import { assumptionFindings, givenFindings, openNames } from "#kernel/virtual/unknown-names.ts";
import { openPlayBudget } from "#kernel/virtual/virtual-run.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { FORECAST_SIMULATED_MAX } from "#schema/limits/planning/forecast-sizes.ts";
import { VIRTUAL_RUN_AHEAD_MS } from "#schema/limits/planning/virtual-runs.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import type { CalendarChange, CalendarRow } from "#schema/virtual/calendar.ts";
import { compute } from "../computing/compute.ts";
import { freshTenantSettings } from "../quotas/tenant-settings.ts";
import { knownConnections, type AssumedLimits, type KnownConnections } from "./known-connections.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { assumingProgram, previewedDefinition, type DefinitionSource, type Previewed } from "./previewed-definition.ts";
import type { Simulation, PreviewSubject } from "./virtual-subjects.ts";
import { previewSubjects, type Calendar, type SubjectEnd } from "./preview-subjects.ts";

export type RequestedSubject = {
  readonly id?: string | undefined;
  readonly execution?: string | undefined;
  readonly variables?: JsonObject | undefined;
  readonly startAt?: number | undefined;
  readonly given?: readonly AssumedInput[] | undefined;
};
export type PreviewDefinition = {
  readonly definition: DefinitionSource;
  readonly subjects: readonly RequestedSubject[];
  readonly startAt: number | null;
  readonly from: number | null;
  readonly until: number | null;
  readonly given: readonly AssumedInput[];
  readonly assume: Assumptions;
  readonly contents: boolean;
  /** Limits that replace those of stored connections; null: connection limits are not simulated. */
  readonly connections: AssumedLimits | null;
  readonly compare: Compare | null;
};
/** The assumptions that differ in the second calendar. Null or empty: the second calendar has those of the first. */
export type Compare = {
  readonly definition: DefinitionSource | null;
  readonly variables: JsonObject;
  readonly given: readonly AssumedInput[] | null;
  readonly assume: Assumptions | null;
};

export type Preview = {
  readonly definition: DefinitionRef | null;
  readonly name: string;
  readonly madeAt: number;
  readonly from: number | null;
  readonly until: number;
  readonly clocks: Clocks;
  readonly rows: readonly CalendarRow[];
  /**
   * The subjects whose executions did not complete: they failed, were paused or refused, refused an input, or reached a
   * limit.
   */
  readonly ends: readonly SubjectEnd[];
  readonly subjects: number;
  readonly left: number;
  readonly compared: { readonly changes: readonly CalendarChange[]; readonly unchanged: number } | null;
};

export async function previewDefinition(
  deps: Deps,
  caller: TenantCaller,
  request: PreviewDefinition,
): Promise<Result<Preview>> {
  const found = await previewedDefinition(deps, caller, request.definition);
  if (!found.ok) return found;
  const other = request.compare?.definition
    ? await previewedDefinition(deps, caller, request.compare.definition)
    : found;
  if (!other.ok) return other;
  const now = deps.now();
  const until = request.until ?? Math.max(now, request.startAt ?? now) + VIRTUAL_RUN_AHEAD_MS;
  const known = request.connections && (await knownConnections(deps, caller, request.connections));
  const findings = [
    ...findingsOf(found.value, other.value, request),
    ...rangeFindings(request, until),
    ...(known === null ? [] : sharedClockFindings(request, known)),
  ];
  if (findings.length > 0) return refuse(invalid(findings));
  const subjects = request.subjects.map((subject, n) => subjectOf(subject, n, request, now));
  const { ref } = found.value;
  const program = assumingProgram(found.value, request.assume);
  const { from, assume, contents } = request;
  const connections = known?.ok ? known.connections : null;
  const { policies } = await freshTenantSettings(deps, caller.tenant);
  const shared = { ref, tenant: caller.tenant, until, from, assume, contents, connections, policies, patch: null };
  const playing = { program, ...shared, purse: openPlayBudget() };
  const otherProgram = assumingProgram(other.value, request.compare?.assume ?? request.assume);
  const otherPlaying = { ...playing, program: otherProgram, ref: other.value.ref };
  const computed = await compute(deps, caller.tenant, calendars(playing, otherPlaying, request.compare, subjects));
  if (!computed.ok) return computed;
  const { calendar, compared } = computed.value;
  return accept({
    definition: found.value.isStored ? found.value.ref : null,
    name: found.value.ref.name,
    madeAt: now,
    from: request.from,
    until,
    clocks,
    rows: compared === null ? calendar.rows : [],
    ends: calendar.ends.filter(isNotable),
    subjects: subjects.length,
    left: calendar.left + (compared?.left ?? 0),
    compared,
  });
}

type Compared = CalendarDiff & Pick<Calendar, "left">;

function* calendars(
  playing: Simulation,
  otherPlaying: Simulation,
  request: Compare | null,
  subjects: readonly PreviewSubject[],
): Computation<{ readonly calendar: Calendar; readonly compared: Compared | null }> {
  const calendar = yield* previewSubjects(playing, subjects);
  if (request === null) return { calendar, compared: null };
  const { variables: patch, given, assume } = request;
  const others = given === null ? subjects : subjects.map((subject) => ({ ...subject, given }));
  const after = yield* previewSubjects({ ...otherPlaying, patch, assume: assume ?? playing.assume }, others);
  return { calendar, compared: { ...(yield* diffCalendars(calendar.rows, after.rows)), left: after.left } };
}

export function subjectOf(
  subject: RequestedSubject,
  n: number,
  request: Pick<PreviewDefinition, "startAt" | "given">,
  now: number,
): PreviewSubject {
  const id = subjectId(subject, n);
  const { variables = {}, startAt, given = [], execution = `exe_${id}` } = subject;
  return { id, execution, variables, startAt: startAt ?? request.startAt ?? now, given: [...request.given, ...given] };
}

function isNotable({ refused, status, notTaken, cut, reason }: SubjectEnd): boolean {
  return (
    refused !== null ||
    reason !== null ||
    status === "failed" ||
    status === "paused" ||
    notTaken.length > 0 ||
    (cut !== null && cut !== "until")
  );
}

function findingsOf(found: Previewed, other: Previewed, request: PreviewDefinition): readonly Finding[] {
  const { compare, subjects, given, assume } = request;
  const [names, others] = [openNames(found.definition), openNames(other.definition)];
  return [
    ...assumptionFindings(names, assume, ["assume"]),
    ...givenFindings(names, given, ["given"]),
    ...subjects.flatMap((subject, n) => givenFindings(names, subject.given ?? [], ["subjects", n, "given"])),
    ...repeatedIdFindings(subjects),
    ...(compare === null ? [] : assumptionFindings(others, compare.assume ?? assume, ["compare", "assume"])),
    ...givenFindings(others, compare?.given ?? [], ["compare", "given"]),
  ];
}

/** If connection limits are given, all subjects are simulated together. Too many subjects are then refused. */
function sharedClockFindings({ subjects }: PreviewDefinition, known: KnownConnections): readonly Finding[] {
  if (!known.ok) return known.findings;
  if (subjects.length <= FORECAST_SIMULATED_MAX) return [];
  const message = `with connections, the limit is ${FORECAST_SIMULATED_MAX} (FORECAST_SIMULATED_MAX), because all subjects are simulated together`;
  return [{ pointer: "/subjects", code: "limit_exceeded", message }];
}

/** Refuses two subjects with the same id, because calendar rows are matched by subject id. */
export function repeatedIdFindings(subjects: readonly RequestedSubject[]): readonly Finding[] {
  const first = new Map<string, number>();
  subjects.forEach((subject, n) => {
    const id = subjectId(subject, n);
    if (!first.has(id)) first.set(id, n);
  });
  return subjects.flatMap((subject, n) => {
    const id = subjectId(subject, n);
    if (first.get(id) === n) return [];
    return [
      {
        pointer: `/subjects/${n}/id`,
        code: "not_unique",
        message: `must be unique, but an earlier subject has the same id "${id}"`,
      },
    ];
  });
}

function subjectId({ id }: RequestedSubject, n: number): string {
  return id ?? String(n + 1);
}

function rangeFindings({ startAt, from, subjects }: PreviewDefinition, until: number): readonly Finding[] {
  const latest = Math.max(
    startAt ?? -Infinity,
    from ?? -Infinity,
    ...subjects.map((each) => each.startAt ?? -Infinity),
  );
  if (latest <= until) return [];
  const message = `must not be before ${new Date(latest).toISOString()}, when a subject starts`;
  return [{ pointer: "/until", code: "out_of_range", message }];
}

function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const message = `The preview is not possible: ${first?.pointer ?? ""} ${first?.message ?? ""}.`;
  return { code: "invalid_input", message, errors } as const;
}
