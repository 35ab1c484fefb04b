// Plays one action through on a clock of its own: the kernel decides as it does in earnest, the rehearsal carries its
// attempts out, and nothing of it is kept.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { policyFor, resolveRetry, retryDelayMs } from "#kernel/execution/retries/retry.ts";
import { step } from "#kernel/execution/step.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { AttemptMocks, Interaction, Rehearsal } from "#schema/rehearsal.ts";
import { isFinalRun, type Run, type Ticket } from "#schema/engine/run.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { defaults } from "#schema/defaults.ts";
import { REHEARSAL_ROUNDS_MAX } from "#schema/limits/planning.ts";

export type ActionRehearsal = {
  readonly tenant: string;
  readonly action: ActionDefinition;
  readonly variables: JsonObject;
  readonly trigger: NonNullable<StartCommand["trigger"]>;
  readonly startAt: number;
  /** One an attempt; the last one goes for all that come after it. */
  readonly mocks: readonly AttemptMocks[];
  readonly attemptsMax: number;
  readonly rehearsal: Rehearsal;
  /** What an attempt costs. */
  readonly priced: (ticket: Ticket, outcome: Outcome) => Outcome;
};

export type RehearsedAttempt = {
  readonly attempt: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: "ok" | "failed" | "held";
  readonly error: ActionError | null;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** How long the next one would wait, by chance; null where there is none. */
  readonly waitedMs: { readonly min: number; readonly max: number } | null;
  readonly interactions: readonly Interaction[];
};
export type RehearsedAction = {
  readonly run: Run;
  readonly attempts: readonly RehearsedAttempt[];
  readonly endedAt: number;
};

/** The same for every rehearsal, so that the same question has the same answer. */
const EXECUTION = "exe_test";

/** Refused where the kernel refuses to start it. */
export async function rehearseAction(asked: ActionRehearsal): Promise<Result<RehearsedAction>> {
  const { action, startAt, attemptsMax } = asked;
  const program = oneActionProgram({ action, dedup: null });
  const take = (state: ExecutionState | null, command: Command, now: number) =>
    step(program, state, { ...command, now, room: 0 });
  const started = take(null, startOf(asked), startAt);
  if (!started.ok) return started;
  let { state } = started;
  let now = startAt;
  const attempts: RehearsedAttempt[] = [];
  const advance = (command: Command): void => {
    const stepped = take(state, command, now);
    if (!stepped.ok) throw new Error(`a rehearsal asks for nothing that is refused: ${stepped.refusal.message}`);
    state = stepped.state;
  };
  for (let round = 0; round < REHEARSAL_ROUNDS_MAX; round++) {
    const run = runOf(state);
    if (isFinalRun(run.status)) break;
    if (run.status === "queued") {
      advance({ kind: "claim", run: run.id, attempt: run.attempt, lane: "queue" });
      const ticket = ticketOf(runOf(state), asked.tenant);
      if (ticket === null) continue;
      const rehearsed = await attempt(asked, ticket, now);
      now = rehearsed.outcome.endedAt;
      advance({ kind: "settle", run: run.id, attempt: run.attempt, outcome: rehearsed.outcome });
      attempts.push(reportOf(asked, ticket, rehearsed, runOf(state)));
    } else {
      if (run.dueAt === null || (run.status === "retry" && run.attempt >= attemptsMax)) break;
      now = Math.max(now, run.dueAt);
      advance({ kind: "tick" });
    }
  }
  return accept({ run: runOf(state), attempts, endedAt: now });
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
  if (run === undefined) throw new Error("the machine around one action has one run");
  return run;
}

/** null: the claim came to nothing, and the run says why. */
function ticketOf(run: Run, tenant: string): Ticket | null {
  const { id, attempt, action, type, config, claimedAt, deadlineAt } = run;
  if (run.status !== "running" || config === null || claimedAt === null || deadlineAt === null) return null;
  return {
    ...{ tenant, execution: EXECUTION, run: id, attempt, action, type, config, deadlineAt },
    idempotencyKey: `${EXECUTION}/${id}`,
    timeoutMs: deadlineAt - claimedAt,
    held: run.held ?? null,
  };
}

async function attempt({ mocks, rehearsal, priced }: ActionRehearsal, ticket: Ticket, now: number) {
  const own = mocks[Math.min(ticket.attempt, mocks.length) - 1] ?? null;
  const { outcome, interactions } = await rehearsal(ticket, own, now);
  return { outcome: priced(ticket, outcome), interactions };
}

type Performed = Awaited<ReturnType<typeof attempt>>;

function reportOf(
  asked: ActionRehearsal,
  ticket: Ticket,
  { outcome, interactions }: Performed,
  after: Run,
): RehearsedAttempt {
  const isHeld = !outcome.ok && outcome.held !== undefined;
  return {
    attempt: ticket.attempt,
    atMs: outcome.startedAt - asked.startAt,
    tookMs: outcome.endedAt - outcome.startedAt,
    outcome: outcome.ok ? "ok" : isHeld ? "held" : "failed",
    error: outcome.ok ? null : outcome.error,
    events: outcome.ok ? outcome.events : [],
    waitedMs: after.status === "retry" && !outcome.ok ? waitAfter(asked, ticket, outcome) : null,
    interactions,
  };
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
