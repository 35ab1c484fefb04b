// Carries out actions that no machine is around: each an execution of its own, started like any other, with an answer
// for each in the order asked. One is a list of one.
import type { Reply } from "#schema/engine/cell.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { batchKey } from "../caller/batch-key.ts";
import { answerEach } from "../cells/broken-item.ts";
import { planAction, type ActionRequest, type PlanActionDeps } from "./plan-action.ts";
import { singleAnswer } from "../cells/single-answer.ts";
import { seenAction } from "./find-action.ts";
import type { SteeredAction } from "./steer-action.ts";
import { startPlanned, type StartPlannedDeps } from "../executions/start-planned.ts";

export type DispatchDeps = PlanActionDeps & StartPlannedDeps;
export type DispatchActions = {
  readonly requests: readonly ActionRequest[];
  /** Stands for the whole list; see batch-key.ts. */
  readonly key: string | null;
  readonly dryRun: boolean;
  /** As what they are known to lists. */
  readonly ref?: DefinitionRef;
};

export async function dispatchAction(
  deps: Deps,
  caller: TenantCaller,
  request: ActionRequest,
  dryRun: boolean,
): Promise<Result<SteeredAction>> {
  const reply = singleAnswer(await dispatchActions(deps, caller, { requests: [request], key: null, dryRun }));
  if (!reply.ok) return reply;
  const seen = seenAction(deps, reply.value.state);
  return seen.ok ? accept({ reply: reply.value, seen: seen.value }) : seen;
}

/** Findings point into the action they are about: the caller knows where that one stood. */
export async function dispatchActions(
  deps: DispatchDeps,
  caller: TenantCaller,
  { requests, key, dryRun, ref = ACTION_REF }: DispatchActions,
): Promise<Result<readonly Result<Reply>[]>> {
  const keyed = requests.map((request, n) => ({ ...request, key: request.key ?? batchKey(key, n) }));
  const plans = await answerEach(deps, keyed, (request) => planAction(deps, caller, request, ref));
  return accept(await startPlanned(deps, caller.tenant, plans, dryRun));
}
