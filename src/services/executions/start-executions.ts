// Starts executions of tenants' own definitions, with an answer for each of them in the order asked. One is a list of
// one: a call to one object, and nothing else when caller and definition are known.
import type { Reply } from "#schema/engine/cell.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller } from "../deps.ts";
import { batchKey } from "../caller/batch-key.ts";
import { answerEach } from "../cells/broken-item.ts";
import { planStart, type PlanDeps, type StartRequest } from "./plan-start.ts";
import { singleAnswer } from "../cells/single-answer.ts";
import { startPlanned, type StartPlannedDeps } from "./start-planned.ts";

export type StartDeps = PlanDeps & StartPlannedDeps;
export type StartExecutions = {
  readonly requests: readonly StartRequest[];
  /** Stands for the whole batch: the n-th request without a key of its own gets `<key>.<n>`. */
  readonly key: string | null;
  readonly dryRun: boolean;
};

export type StartExecution = StartRequest & { readonly dryRun: boolean };

export async function startExecution(
  deps: StartDeps,
  caller: TenantCaller,
  { dryRun, ...request }: StartExecution,
): Promise<Result<Reply>> {
  return singleAnswer(await startExecutions(deps, caller, { requests: [request], key: null, dryRun }));
}

export async function startExecutions(
  deps: StartDeps,
  caller: TenantCaller,
  input: StartExecutions,
): Promise<Result<readonly Result<Reply>[]>> {
  const keyed = input.requests.map((request, n) => ({
    ...request,
    key: request.key ?? batchKey(input.key, n),
  }));
  const plans = await answerEach(deps, keyed, (request) => planStart(deps, caller, request));
  return accept(await startPlanned(deps, caller.tenant, plans, input.dryRun));
}
