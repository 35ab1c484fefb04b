// Carries out one action on its own.
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dispatchActions } from "./dispatch-actions.ts";
import { seenAction } from "./find-action.ts";
import { singleAnswer } from "../cells/single-answer.ts";
import type { ActionRequest } from "./plan-action.ts";
import type { SteeredAction } from "./steer-action.ts";

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
