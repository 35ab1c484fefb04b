// The virtual run: executes any program from its start on a virtual clock, with assumed outcomes. It is a pure
// function. Previews, calendars and the tests of definitions use it.
import { programAt } from "../execution/limits/before-first-move.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { Hold, Outcome, SkipReason } from "#schema/engine/outcome.ts";
import type { QuietHours } from "#schema/policies/policy.ts";
import { waitsForPerson } from "#schema/engine/run.ts";
import {
  VIRTUAL_RUNS_STEPS_MAX,
  VIRTUAL_RUNS_WORK_MAX,
  VIRTUAL_RUN_ACTIONS_MAX,
  VIRTUAL_RUN_STEPS_MAX,
} from "#schema/limits/planning/virtual-runs.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import type { VirtualRun } from "#schema/virtual/expected-actions.ts";
import { NOT_DECIDED } from "../waiting/deadlines.ts";
import type { Computation } from "../computing/computation.ts";
import type { Program } from "../execution/program.ts";
import { assumedResultFor } from "./assumed-results.ts";
import { supplyOutcome, openPlay, type AttemptInProgress, type Play, type Watch } from "./play.ts";
import { nextAttempt, type StartLimits } from "./start-turns.ts";
import type { PlayBudget } from "./play-step.ts";
import { expectedActions } from "./play-record.ts";
import { admitSubject } from "./subject.ts";

/**
 * A limit that is checked before an attempt, such as a connection's limit or a cap. Returns null if the attempt may
 * start.
 */
export type AttemptLimits = (
  asked: AttemptInProgress,
  state: ExecutionState,
) =>
  | Hold
  | { readonly skipped: SkipReason; readonly nextAt?: number }
  | { readonly held: Hold; readonly quietHours: QuietHours[] }
  | null;

export type VirtualRunSettings = {
  readonly program: Program;
  readonly start: StartCommand;
  readonly startAt: number;
  /** The last instant of the run, in epoch ms. Later inputs are not played. */
  readonly until: number;
  readonly given?: readonly AssumedInput[];
  readonly assume?: Assumptions;
  /** The limits before attempts. If absent, every attempt may start. */
  readonly limits?: AttemptLimits;
  /** Called with the outcome of each attempt that the limits have admitted. */
  readonly attempted?: (asked: AttemptInProgress, outcome: Outcome) => void;
  /** The budget that several virtual runs share. */
  readonly budget?: PlayBudget;
  readonly stepsMax?: number;
  readonly actionsMax?: number;
  /** Decides about a start with limits. If absent, every start is admitted. */
  readonly startLimits?: StartLimits;
  /** Called after each step of the run. */
  readonly watch?: Watch;
  /** False if the record must not contain the configs of runs. */
  readonly contents?: boolean;
};

export function openPlayBudget(): PlayBudget {
  return { steps: VIRTUAL_RUNS_STEPS_MAX, work: VIRTUAL_RUNS_WORK_MAX, units: 0 };
}

/** Plays a whole run. Returns the refusal if the kernel refuses the start. */
export function* runVirtually(ask: VirtualRunSettings): Computation<Result<VirtualRun>> {
  const opened = yield* openVirtualRun(ask);
  if (!opened.ok) return opened;
  const play = opened.value;
  while (yield* playNextAttempt(ask, play)) continue;
  return accept(virtualRunOf(play));
}

export function* openVirtualRun(ask: VirtualRunSettings): Computation<Result<Play>> {
  const { program, start, startAt, until, given = [], budget = openPlayBudget() } = ask;
  const {
    stepsMax = VIRTUAL_RUN_STEPS_MAX,
    actionsMax = VIRTUAL_RUN_ACTIONS_MAX,
    watch,
    startLimits,
    contents = true,
  } = ask;
  const admitted = yield* admitSubject(program.definition, start);
  if (!admitted.ok) return admitted;
  const played = { program, start: admitted.value, startAt, until, given, budget, stepsMax, actionsMax, contents };
  const hooks = { ...(watch === undefined ? {} : { watch }), ...(startLimits === undefined ? {} : { startLimits }) };
  return yield* openPlay({ ...played, ...hooks });
}

/** Plays up to the next attempt, and supplies its result. Returns false if there is no further attempt. */
export function* playNextAttempt(
  { assume = {}, limits, attempted }: Pick<VirtualRunSettings, "assume" | "limits" | "attempted">,
  play: Play,
): Computation<boolean> {
  const asked = yield* nextAttempt(play);
  if (asked === null) return false;
  const held = limits?.(asked, play.state) ?? null;
  if (held === null) {
    const { outcome, laterEvents } = assumedResultFor(assume, asked, play.state);
    attempted?.(asked, outcome);
    supplyOutcome(play, asked, outcome, laterEvents);
  } else refuseAttempt(play, asked, held);
  return true;
}

/** Ends an attempt that a limit has not admitted, and returns its outcome. The run's attempt is not counted. */
export function refuseAttempt(
  play: Play,
  asked: AttemptInProgress,
  held: NonNullable<ReturnType<AttemptLimits>>,
): Extract<Outcome, { ok: false }> {
  const instead = "skipped" in held || "quietHours" in held ? held : { held };
  const code = "skipped" in held ? held.skipped : "quietHours" in held ? held.held.reason : held.reason;
  const error = { type: "rate_limit", code, message: `the attempt is not admitted: ${code}`, retryable: true };
  const outcome = { ok: false, error, ...instead, startedAt: asked.at, endedAt: asked.at } as const;
  supplyOutcome(play, asked, outcome);
  return outcome;
}

export function virtualRunOf({ settings: ask, state, record, notTaken, now, cut }: Play): VirtualRun {
  const isLive = state.finishedAt === null;
  return {
    status: state.status,
    states: state.position.states,
    nodes: state.position.kind === "journey" ? state.position.nodes : {},
    variables: state.variables,
    error: state.error,
    actions: expectedActions(record, state),
    notTaken,
    waitsFor: isLive ? programAt(ask.program, state).waitsFor(state.position) : [],
    waitsForOperator: isLive ? state.runs.some(waitsForPerson) : state.error?.type === NOT_DECIDED,
    restsAt: now,
    finishedAt: state.finishedAt,
    cut,
  };
}
