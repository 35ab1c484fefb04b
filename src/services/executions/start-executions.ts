// Starts of executions: plans each start, reserves quota, admits subjects, and starts all executions of one cell in one
// call. Routes, triggers, operations and recurring actions call it.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { refuse, type Result, accept } from "#schema/refusal.ts";
import { batchKey } from "../caller/stored-responses.ts";
import { brokenItem, answerEach, callWithRetry, singleAnswer } from "../cells/call-cell.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { followMoves } from "../pools/follow-moves.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import type { QuotaDeps } from "../quotas/isolate-lease.ts";
import { takeStart } from "../quotas/take-quota.ts";
import { type PlannedStart, startAdmitted } from "../subjects/admit-starts.ts";
import { startWithStoredDefinitions } from "./stored-definitions.ts";
import { planStart, type PlanDeps, type StartRequest } from "./plan-start.ts";
import { previewStart } from "./preview-start.ts";

export type StartPlannedDeps = QuotaDeps & Pick<Deps, "cell" | "subject">;
type CellDeps = Pick<Deps, "now" | "cell" | "log">;

export async function startPlanned(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const within = dryRun ? plans : await takeQuotas(deps, tenant, plans);
  return followMoves(tenant, within, (some) =>
    startAdmitted(deps, some, dryRun, (items) => startInCells(deps, tenant, items, dryRun)),
  );
}

async function startInCells(
  deps: CellDeps,
  tenant: string,
  admitted: readonly Result<StartItem>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const answers: Result<Reply>[] = admitted.map((plan) => (plan.ok ? refuse(unanswered) : plan));
  const planned = admitted.flatMap((plan, index) => (plan.ok ? [{ index, item: plan.value }] : []));
  const cells = Map.groupBy(planned, ({ item }) => cellName(tenant, item.command.execution));
  await Promise.all(
    Array.from(cells, async ([name, members]) => {
      const items = members.map(({ item }) => item);
      const replies = await startInCell(deps, name, items, dryRun).catch((fault: unknown) => {
        // An exception of a request with one item is rethrown: it is the exception of the whole request.
        if (admitted.length === 1) throw fault;
        const broken = brokenItem(deps, { cell: name, count: items.length }, fault);
        return items.map(() => broken);
      });
      members.forEach(({ index }, n) => (answers[index] = replies[n] ?? refuse(unanswered)));
    }),
  );
  return answers;
}

/** Takes one start from the tenant's quota for each plan, in the order of the requests. */
async function takeQuotas(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
): Promise<readonly Result<PlannedStart>[]> {
  const admitted: Result<PlannedStart>[] = [];
  for (const plan of plans) {
    const refusal = plan.ok ? await takeStart(deps, tenant) : null;
    admitted.push(refusal === null ? plan : refuse(refusal));
  }
  return admitted;
}

const unanswered = { code: "unavailable", message: "The execution's object returned no answer." } as const;

async function startInCell(
  deps: CellDeps,
  name: string,
  items: readonly StartItem[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  if (dryRun) return items.map((item) => previewStart(deps, item));
  const replies = await callWithRetry(() => startWithStoredDefinitions(deps.cell(name), name, items));
  return replies.ok ? replies.value : items.map(() => replies);
}

export type StartDeps = PlanDeps & StartPlannedDeps;
export type StartExecutions = {
  readonly requests: readonly StartRequest[];
  /** The Idempotency-Key of the whole batch: the nth request without a key of its own gets `<key>.<n>`. */
  readonly key: string | null;
  readonly dryRun: boolean;
};

export type StartExecution = StartRequest & { readonly dryRun: boolean };

export async function startExecution(
  deps: StartDeps,
  caller: TenantCaller,
  { dryRun, ...request }: StartExecution,
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
