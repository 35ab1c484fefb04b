// Action rehearsal: simulates one action on a virtual clock. The runner's rehearsal answers the attempts. Nothing is
// sent or stored.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { policyFor, resolveRetry, retryDelayMs } from "#kernel/execution/retries/retry.ts";
import { supplyOutcome, openPlay, playSuppliedOutcomes, type AttemptInProgress } from "#kernel/virtual/play.ts";
import { nextAttempt } from "#kernel/virtual/start-turns.ts";
import { openPlayBudget, refuseAttempt } from "#kernel/virtual/virtual-run.ts";
import { openRunLimits } from "#policy/forecast/run-limits.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { AttemptMocks, Interaction, Rehearsal } from "#schema/rehearsal.ts";
import { isFinalRun, type Run, type Ticket } from "#schema/engine/run.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import { openComputing, type Computing, type ComputingDeps } from "../computing/compute.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { defaults } from "#schema/defaults.ts";
import { REHEARSAL_STEPS_MAX } from "#schema/limits/planning/rehearsal-attempts.ts";

export type ActionRehearsal = {
  readonly tenant: string;
  readonly action: ProgramAction;
  readonly variables: JsonObject;
  readonly trigger: NonNullable<StartCommand["trigger"]>;
  readonly startAt: number;
  /** The mocked answers by attempt. The last entry also applies to all later attempts. */
  readonly mocks: readonly AttemptMocks[];
  readonly attemptsMax: number;
  readonly rehearsal: Rehearsal;
  /** The tenant's policies, whose quiet hours hold the run. */
  readonly policies: readonly TenantPolicy[];
  /** Adds the price of the attempt to its outcome. */
  readonly priced: (ticket: Ticket, outcome: Outcome) => Outcome;
};

export type RehearsedAttempt = {
  readonly attempt: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly outcome: "ok" | "failed" | "held" | "skipped";
  readonly error: ActionError | null;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** The shortest and the longest random wait before the next attempt, in ms. Null if there is no next attempt. */
  readonly waitedMs: { readonly min: number; readonly max: number } | null;
  readonly interactions: readonly Interaction[];
};
export type RehearsedAction = {
  readonly run: Run;
  readonly attempts: readonly RehearsedAttempt[];
  readonly endedAt: number;
};

/** Every rehearsal uses the same execution id, so equal requests get equal answers. */
const EXECUTION = "exe_test";

/**
 * Runs an execution with this one action virtually. Refuses the request if the kernel refuses to start the execution.
 */
export async function rehearseAction(deps: ComputingDeps, request: ActionRehearsal): Promise<Result<RehearsedAction>> {
  const computing = openComputing(deps, request.tenant);
  try {
    return await rehearse(computing, request);
  } finally {
    computing.end();
  }
}

async function rehearse({ run }: Computing, request: ActionRehearsal): Promise<Result<RehearsedAction>> {
  const { tenant, action, startAt, attemptsMax } = request;
  const opening = openPlay({
    program: oneActionProgram({ action, dedup: null }),
    start: startOf(request),
    startAt,
    until: Infinity,
    given: [],
    actionsMax: 1,
    stepsMax: REHEARSAL_STEPS_MAX,
    budget: openPlayBudget(),
  });
  const opened = await run(opening);
  if (!opened.ok) return opened;
  if (!opened.value.ok) return opened.value;
  const play = opened.value.value;
  const attempts: RehearsedAttempt[] = [];
  const { limits, attempted } = openRunLimits(request.policies);
  while (isGoingOn(runOf(play.state), attemptsMax)) {
    const claimed = await run(nextAttempt(play));
    if (!claimed.ok) return claimed;
    if (claimed.value === null) break;
    const ticket = ticketOf(claimed.value, tenant);
    const refused = limits(claimed.value, play.state);
    const rehearsed =
      refused === null
        ? await rehearseAttempt(request, ticket, claimed.value.at)
        : { outcome: refuseAttempt(play, claimed.value, refused), interactions: [] };
    if (refused === null) {
      attempted(claimed.value, rehearsed.outcome);
      supplyOutcome(play, claimed.value, rehearsed.outcome);
    }
    const applied = await run(playSuppliedOutcomes(play));
    if (!applied.ok) return applied;
    attempts.push(reportOf(request, ticket, rehearsed, runOf(play.state)));
  }
  return accept({ run: runOf(play.state), attempts, endedAt: play.now });
}

function isGoingOn({ status, attempt }: Run, attemptsMax: number): boolean {
  return !isFinalRun(status) && (status !== "retry" || attempt < attemptsMax);
}

function startOf({ tenant, action, variables, trigger }: ActionRehearsal): StartCommand {
  return {
    kind: "start",
    inputId: "test",
    execution: EXECUTION,
    tenant,
    namespace: defaults.namespace,
    definition: ACTION_REF,
    placement: "pooled",
    variables,
    correlationId: trigger.message?.correlationId ?? null,
    fingerprint: "",
    actor: { kind: "engine", id: "test" },
    standalone: { action, dedup: null },
    trigger,
  };
}

function runOf({ runs }: ExecutionState): Run {
  const [run] = runs;
  if (run === undefined) throw new Error("the machine around one action must have one run");
  return run;
}

function ticketOf({ run, attempt, at, timeoutMs }: AttemptInProgress, tenant: string): Ticket {
  const { id, action, type, config } = run;
  return {
    tenant,
    execution: EXECUTION,
    run: id,
    attempt,
    action,
    type,
    config: config ?? {},
    timeoutMs,
    idempotencyKey: `${EXECUTION}/${id}`,
    deadlineAt: at + timeoutMs,
    incarnation: at,
    held: run.held ?? null,
  };
}

async function rehearseAttempt({ mocks, rehearsal, priced }: ActionRehearsal, ticket: Ticket, now: number) {
  const mock = mocks[Math.min(ticket.attempt, mocks.length) - 1] ?? null;
  const { outcome, interactions } = await rehearsal(ticket, mock, now);
  return { outcome: priced(ticket, outcome), interactions };
}

type RehearsedOutcome = Awaited<ReturnType<typeof rehearseAttempt>>;

function reportOf(
  request: ActionRehearsal,
  ticket: Ticket,
  { outcome, interactions }: RehearsedOutcome,
  after: Run,
): RehearsedAttempt {
  return {
    attempt: ticket.attempt,
    atMs: outcome.startedAt - request.startAt,
    durationMs: outcome.endedAt - outcome.startedAt,
    outcome: endOf(outcome),
    error: outcome.ok ? null : outcome.error,
    events: outcome.ok ? outcome.events : [],
    waitedMs: after.status === "retry" && !outcome.ok ? waitAfter(request, ticket, outcome) : null,
    interactions,
  };
}

function endOf(outcome: Outcome): RehearsedAttempt["outcome"] {
  if (outcome.ok) return "ok";
  if (outcome.held !== undefined) return "held";
  return outcome.skipped === undefined ? "failed" : "skipped";
}

function waitAfter(
  { action }: ActionRehearsal,
  ticket: Ticket,
  { error, retryAfterMs }: Extract<Outcome, { ok: false }>,
) {
  const policy = policyFor(resolveRetry(action.retryPolicy, "default"), error);
  const wait = (chance: number) => retryDelayMs(policy, ticket.attempt, chance, retryAfterMs);
  return { min: wait(0), max: wait(1) };
}
