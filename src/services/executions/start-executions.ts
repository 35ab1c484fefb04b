// Starts of executions. Each start is planned, taken from the tenant's quota, admitted by its subject, and sent to its
// cell. If its key has moved to another cell, it is sent there. Routes, triggers, operations and recurring actions call
// this.
import type { Reply } from "#schema/engine/cell.ts";
import { POOL_TRIES_MAX } from "#schema/limits/pool-cells.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { batchKey } from "../caller/stored-responses.ts";
import { answerEach, singleAnswer } from "../cells/call-cell.ts";
import { moveStart } from "../cells/ids-and-cells.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import type { QuotaDeps } from "../quotas/isolate-lease.ts";
import { takeStart } from "../quotas/take-quota.ts";
import { admitStarts, settleAdmission } from "../subjects/admit-starts.ts";
import { planStart, type PlanDeps, type PlannedStart, type StartRequest } from "./plan-start.ts";
import { noReply, startInCells } from "./start-in-cells.ts";

export type AdmittedStartDeps = Pick<Deps, "now" | "cell" | "subject" | "keyLimits" | "log">;
export type StartPlannedDeps = QuotaDeps & AdmittedStartDeps;
export type StartDeps = PlanDeps & StartPlannedDeps;

export type StartExecutions = {
  readonly requests: readonly StartRequest[];
  /** The Idempotency-Key of the whole batch. The nth request that has no key of its own gets the key `<key>.<n>`. */
  readonly key: string | null;
  readonly dryRun: boolean;
};

export async function startExecution(
  deps: StartDeps,
  caller: TenantCaller,
  { dryRun, ...request }: StartRequest & { readonly dryRun: boolean },
  find?: FindDefinition,
): Promise<Result<Reply>> {
  return singleAnswer(await startExecutions(deps, caller, { requests: [request], key: null, dryRun }, find));
}

export async function startExecutions(
  deps: StartDeps,
  caller: TenantCaller,
  input: StartExecutions,
  find: FindDefinition = openDefinitions(deps, caller.tenant),
): Promise<Result<readonly Result<Reply>[]>> {
  const keyed = input.requests.map((request, n) => ({ ...request, key: request.key ?? batchKey(input.key, n) }));
  const plans = await answerEach(deps, keyed, (request) => planStart(deps, caller, request, find));
  return accept(await startPlanned(deps, caller.tenant, plans, input.dryRun));
}

/**
 * Starts planned executions and actions. Returns one reply for each plan; the reply to a refused plan is its refusal.
 */
export async function startPlanned(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const withinQuota = dryRun ? plans : await takeQuotas(deps, tenant, plans);
  return startFollowingMoves(deps, tenant, withinQuota, dryRun);
}

/** Takes one start from the tenant's quota for each plan, in the order of the requests. */
async function takeQuotas(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
): Promise<readonly Result<PlannedStart>[]> {
  const taken: Result<PlannedStart>[] = [];
  for (const plan of plans) {
    const refusal = plan.ok ? await takeStart(deps, tenant) : null;
    taken.push(refusal === null ? plan : refuse(refusal));
  }
  return taken;
}

/**
 * Starts the plans. If a cell answers that a key belongs to another cell, the start is repeated there. That happens if
 * the pool was resized, or if the key was first used when the pool had another size. The other cell then detects the
 * repeat.
 */
export async function startFollowingMoves(
  deps: AdmittedStartDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const latest = [...plans];
  const replies = [...(await startAdmitted(deps, tenant, plans, dryRun))];
  for (let tries = 1; ; tries++) {
    const moved = latest.flatMap((plan, index) => {
      const reply = replies[index];
      const next = plan.ok && reply?.ok === false ? moveStart(tenant, plan.value, reply.refusal) : null;
      return next === null ? [] : [{ index, next }];
    });
    if (moved.length === 0) return replies.map((reply, index) => withMovedId(reply, plans[index], latest[index]));
    if (tries === POOL_TRIES_MAX) {
      for (const { index } of moved) replies[index] = refuse(stillMoving);
      return replies;
    }
    const plansAgain = moved.map(({ next }) => accept(next));
    const repliesAgain = await startAdmitted(deps, tenant, plansAgain, dryRun);
    moved.forEach(({ index, next }, n) => {
      latest[index] = accept(next);
      replies[index] = repliesAgain[n] ?? refuse(noReply);
    });
  }
}

/** Admits the subjects of the plans, and starts the admitted ones. */
async function startAdmitted(
  deps: AdmittedStartDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const admissions = await admitStarts(deps, plans, dryRun);
  const items = admissions.map((admission) => (admission.ok ? accept(admission.value.item) : admission));
  const replies = await startInCells(deps, tenant, items, dryRun);
  if (dryRun) return replies;
  const outcomes = replies.map((reply, n) => ({ reply, plan: plans[n], admission: admissions[n] }));
  return answerEach(deps, outcomes, async ({ reply, plan, admission }) => {
    const again = await settleAdmission(deps, plan, admission, reply);
    if (again === null) return reply;
    const [replyAgain = refuse(noReply)] = await startInCells(deps, tenant, [again], dryRun);
    return replyAgain;
  });
}

/** Adds the execution's id to the refusal of a moved start, because it differs from the id that the caller planned. */
function withMovedId(
  reply: Result<Reply>,
  planned: Result<PlannedStart> | undefined,
  latest: Result<PlannedStart> | undefined,
): Result<Reply> {
  if (reply.ok || planned === latest || !latest?.ok) return reply;
  const { details } = reply.refusal;
  return refuse({ ...reply.refusal, details: { ...details, execution: latest.value.command.execution } });
}

const stillMoving = {
  code: "unavailable",
  message: "The cell of this key is not known yet: the tenant's pool has just been resized.",
  hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice.",
  retryAfterS: 1,
} as const;
