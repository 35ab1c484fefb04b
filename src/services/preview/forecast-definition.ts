// Enrolment forecasts: predicts counts, costs, and the time of the last message. Very many executions of one definition
// are simulated on one clock, with shared connection limits. Nothing is written or sent.
import type { Computation } from "#kernel/computing/computation.ts";
import { playFleet } from "#kernel/virtual/fleet.ts";
import type { Play, Watch } from "#kernel/virtual/play.ts";
import { assumptionFindings, givenFindings, openNames } from "#kernel/virtual/unknown-names.ts";
import { openPlayBudget, openVirtualRun, runVirtually } from "#kernel/virtual/virtual-run.ts";
import { newPool } from "#policy/pools/layout.ts";
import { openForecast, type ForecastInput } from "#policy/forecast/forecast.ts";
import { billOf, type PlatformBill } from "#policy/forecast/platform.ts";
import { paceOf } from "#policy/operations/pace.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import {
  FORECAST_PILOTS,
  FORECAST_SIMULATED_MAX,
  FORECAST_STEPS_SHARE,
} from "#schema/limits/planning/forecast-sizes.ts";
import { VIRTUAL_RUN_AHEAD_MS } from "#schema/limits/planning/virtual-runs.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import type { Forecast, Shares } from "#schema/virtual/forecast.ts";
import { getPrices } from "../actions/prices.ts";
import { compute } from "../computing/compute.ts";
import { knownConnections, type AssumedLimits } from "./known-connections.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { freshTenantSettings } from "../quotas/tenant-settings.ts";
import { notesOf } from "./forecast-notes.ts";
import { repeatedIdFindings, subjectOf, type RequestedSubject } from "./preview-definition.ts";
import { startCommandOf, type Simulation, type PreviewSubject } from "./virtual-subjects.ts";
import { assumingProgram, previewedDefinition, type DefinitionSource } from "./previewed-definition.ts";

export type ForecastDefinition = {
  readonly definition: DefinitionSource;
  readonly subjects: readonly RequestedSubject[];
  /** The number of executions to simulate; null: one for each subject in the request. */
  readonly count: number | null;
  readonly perSecond: number | null;
  readonly startAt: number | null;
  readonly until: number | null;
  readonly given: readonly AssumedInput[];
  /** Events that only a part of the executions receives; `share` is that part. */
  readonly sometimes: readonly { readonly share: number; readonly given: readonly AssumedInput[] }[];
  readonly assume: Assumptions;
  readonly shares: Shares;
  readonly connections: AssumedLimits;
};
export type ForecastView = Omit<Forecast, "platform"> & {
  readonly definition: DefinitionRef;
  readonly isStored: boolean;
  readonly madeAt: number;
  readonly startAt: number;
  readonly until: number;
  readonly currency: string | null;
  readonly platform: PlatformBill;
  readonly notes: readonly string[];
};

export async function forecastDefinition(
  deps: Deps,
  caller: TenantCaller,
  request: ForecastDefinition,
): Promise<Result<ForecastView>> {
  const found = await previewedDefinition(deps, caller, request.definition);
  if (!found.ok) return found;
  const { definition, ref, isStored } = found.value;
  const known = await knownConnections(deps, caller, request.connections);
  const names = openNames(definition);
  const findings = [
    ...(known.ok ? [] : known.findings),
    ...assumptionFindings(names, request.assume, ["assume"]),
    ...assumptionFindings(names, { actions: namesIn(request.shares) }, ["shares"]).map(withoutActions),
    ...givenFindings(names, request.given, ["given"]),
    ...request.sometimes.flatMap(({ given }, n) => givenFindings(names, given, ["sometimes", n, "given"])),
    ...request.subjects.flatMap(({ given = [] }, n) => givenFindings(names, given, ["subjects", n, "given"])),
    ...repeatedIdFindings(request.subjects),
    ...countFindings(request),
  ];
  if (findings.length > 0 || !known.ok) return refuse(invalid(findings));
  const [{ limits, pool, policies }, prices] = [
    await freshTenantSettings(deps, caller.tenant),
    await getPrices(deps, caller),
  ];
  if (!prices.ok) return prices;
  const now = deps.now();
  const startAt = request.startAt ?? now;
  const until = request.until ?? Math.max(now, startAt) + VIRTUAL_RUN_AHEAD_MS;
  const playing: Simulation = {
    program: assumingProgram(found.value, request.assume),
    tenant: caller.tenant,
    assume: request.assume,
    contents: false,
    purse: openPlayBudget(),
    ...{ ref, until, policies, from: null, connections: null, patch: null },
  };
  const perSecond =
    request.perSecond === null ? null : Math.min(request.perSecond, Math.max(1, limits.startsPerSecond));
  const of = request.count ?? request.subjects.length;
  const computed = await compute(
    deps,
    caller.tenant,
    playedOut({ ...request, perSecond }, playing, startAt, {
      of,
      assume: request.assume,
      shares: request.shares,
      connections: known.connections,
      quotas: limits,
      policies,
      prices: prices.value,
      poolSize: (pool ?? newPool).size,
      slices: perSecond === null ? null : Math.ceil(of / paceOf(perSecond).size),
    }),
  );
  if (!computed.ok) return computed;
  const { platform, ...forecast } = computed.value;
  const notes = notesOf(forecast, limits, known.connections);
  return accept({
    ...forecast,
    definition: ref,
    isStored,
    madeAt: now,
    startAt,
    until,
    notes,
    currency: prices.value?.currency ?? null,
    platform: billOf(platform),
  });
}

function* playedOut(
  request: ForecastDefinition,
  playing: Simulation,
  startAt: number,
  options: Omit<ForecastInput, "members">,
): Computation<Forecast> {
  const subjects = yield* subjectsOf(request, playing, options.of, startAt);
  const { fleet, result } = openForecast({
    ...options,
    members: subjects.map((subject) => ({
      startAt: subject.startAt,
      open: (watch: Watch) => openOne(playing, subject, watch),
    })),
  });
  yield* playFleet(fleet);
  return result();
}

function openOne(
  playing: Simulation,
  { execution, variables, startAt, given }: PreviewSubject,
  watch: Watch,
): Computation<Result<Play>> {
  const { program, until, purse } = playing;
  const start = startCommandOf(playing, execution, variables);
  return openVirtualRun({ program, start, startAt, until, given, budget: purse, watch, contents: false });
}

/**
 * Returns the simulated subjects: all of them, or an evenly spread sample. A sampled subject keeps its position in the
 * order of starts.
 */
function* subjectsOf(
  request: ForecastDefinition,
  playing: Simulation,
  of: number,
  startAt: number,
): Computation<readonly PreviewSubject[]> {
  const named = request.subjects.map((subject, n) => subjectOf(subject, n, { ...request, startAt }, startAt));
  const played = Math.min(of, FORECAST_SIMULATED_MAX, yield* affordable(playing, named));
  const shares = request.sometimes.map(({ share, given }) => ({ share, given, upTo: 0 }));
  const subjects: PreviewSubject[] = [];
  for (let n = 0; n < played; n++) {
    yield SUBJECT_UNITS;
    const index = Math.floor((n * of) / played);
    const subject = named[index % named.length];
    if (subject === undefined) throw new Error("a forecast must have at least one subject");
    const more = shares.flatMap((each) => {
      each.upTo += each.share;
      if (each.upTo < 1) return [];
      each.upTo -= 1;
      return each.given;
    });
    // The execution's id seeds its random choices. Copies of one subject get different ids, so that their choices
    // differ.
    const isFirst = index < named.length;
    const execution = isFirst ? subject.execution : `${subject.execution}-${index}`;
    const startsAt = subject.startAt + waitOf(request.perSecond, index);
    subjects.push({ ...subject, execution, startAt: startsAt, given: [...subject.given, ...more] });
  }
  return subjects;
}

/** The cost units for preparing one simulated subject, and for inserting it into the order of starts. */
const SUBJECT_UNITS = 40;

/**
 * Returns how long a subject waits for its start, in ms. A paced enrolment starts its lines slice by slice, so later
 * lines wait longer.
 */
function waitOf(perSecond: number | null, index: number): number {
  if (perSecond === null) return 0;
  const { size, everyMs } = paceOf(perSecond);
  return Math.floor(index / size) * everyMs;
}

/** Returns how many subjects can be simulated within the budget, estimated from the cost of a few subjects. */
function* affordable(playing: Simulation, named: readonly PreviewSubject[]): Computation<number> {
  const { purse, program, until, assume } = playing;
  const pilots = Math.min(FORECAST_PILOTS, named.length);
  const before = { ...purse };
  for (let n = 0; n < pilots; n++) {
    const subject = named[Math.floor((n * named.length) / pilots)];
    if (subject === undefined) continue;
    const { execution, variables, startAt, given } = subject;
    const start = startCommandOf(playing, execution, variables);
    yield* runVirtually({ program, start, startAt, until, given, assume, budget: purse });
  }
  const share = ({ left, used }: { readonly left: number; readonly used: number }): number =>
    used <= 0 ? Infinity : Math.floor((left * FORECAST_STEPS_SHARE * pilots) / used);
  const [steps, work] = [before.steps - purse.steps, before.work - purse.work];
  return Math.max(1, Math.min(share({ left: purse.steps, used: steps }), share({ left: purse.work, used: work })));
}

function namesIn(shares: Shares): NonNullable<Assumptions["actions"]> {
  return Object.fromEntries(Object.keys(shares).map((action) => [action, {}]));
}

/**
 * Moves a finding's pointer to the request's own fields. The checked assumptions have the field `actions` between
 * `shares` and the action's name, which the request does not have.
 */
function withoutActions(finding: Finding): Finding {
  return { ...finding, pointer: finding.pointer.replace("/shares/actions/", "/shares/") };
}

function countFindings({ count, subjects, startAt, until }: ForecastDefinition): readonly Finding[] {
  const findings: Finding[] = [];
  if (count !== null && count < subjects.length) {
    const message = `must be at least the number of subjects, ${subjects.length}`;
    findings.push({ pointer: "/count", code: "out_of_range", message });
  }
  if (until !== null && startAt !== null && until < startAt)
    findings.push({ pointer: "/until", code: "out_of_range", message: "must not be before the start of the forecast" });
  return findings;
}

function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const message = `The forecast is not possible: ${first?.pointer ?? ""} ${first?.message ?? ""}.`;
  return { code: "invalid_input", message, errors } as const;
}
