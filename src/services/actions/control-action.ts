// Action control: cancels a standalone action, or retries a failed one. The action's execution applies both as verbs.
// Refusals name the action instead of the execution.
import { actionRun, actionStatus, type RetiredAction, type SeenAction } from "#schema/engine/action-status.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { requireRetryScope } from "../caller/authenticate.ts";
import { isRepeatedRetry, retryRun, type RetryEdit } from "../dead-letters/retry-run.ts";
import { controlExecution } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findAction, actionView } from "./standalone-actions.ts";

type ActionCommand = {
  readonly id: string;
  readonly reason: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type RetryAction = ActionCommand & RetryEdit;
export type ControlledAction = { readonly reply: Reply; readonly seen: SeenAction };

export async function cancelAction(
  deps: Deps,
  caller: TenantCaller,
  command: ActionCommand,
): Promise<Result<ControlledAction>> {
  const found = await findLiveAction(deps, caller, command.id);
  if (!found.ok) return found;
  const run = actionRun(found.value.state);
  const isOver = run !== undefined && isFinalRun(run.status);
  if (isOver && !isRepeatedRetry(found.value.state, command.key)) return refuse(alreadyEnded(found.value));
  const { id, reason, key, dryRun } = command;
  const verb = { kind: "cancel", reason } as const;
  return controlledAction(deps, await controlExecution(deps, caller, { execution: id, verb, key, dryRun }));
}

export async function retryAction(
  deps: Deps,
  caller: TenantCaller,
  command: RetryAction,
): Promise<Result<ControlledAction>> {
  // The scope is checked before the action is looked up. A client without the scope therefore cannot learn whether the
  // action exists.
  const may = requireRetryScope(caller, command.config);
  if (!may.ok) return may;
  const found = await findLiveAction(deps, caller, command.id);
  if (!found.ok) return found;
  const { state } = found.value;
  const run = actionRun(state);
  if (!isRepeatedRetry(state, command.key) && !run?.deadLetter) return refuse(notFailed(found.value));
  // A standalone action's machine never handles a failure, so its retry does not need `force`.
  const input = { ...command, execution: command.id, run: run?.id ?? "", force: false, once: false };
  return controlledAction(deps, await retryRun(deps, caller, input, state));
}

async function findLiveAction(deps: Deps, caller: TenantCaller, id: string): Promise<Result<SeenAction>> {
  const found = await findAction(deps, caller, { id });
  if (!found.ok) return found;
  return found.value.kind === "live" ? accept(found.value.seen) : refuse(actionRetired(found.value.retired));
}

function controlledAction(deps: Deps, reply: Result<Reply>): Result<ControlledAction> {
  if (!reply.ok) return reply;
  const seen = actionView(deps, reply.value.state);
  return seen.ok ? accept({ reply: reply.value, seen: seen.value }) : seen;
}

function alreadyEnded({ state }: SeenAction): Refusal {
  const hint = actionRun(state)?.deadLetter
    ? "The action has failed: retry it, or archive its dead letter."
    : "The action has ended, so there is nothing to cancel.";
  return {
    code: "execution_final",
    message: `The action ${state.id} already has the status ${actionStatus(state)}.`,
    hint,
  };
}

function notFailed({ state }: SeenAction): Refusal {
  const status = actionStatus(state);
  const message = `The action ${state.id} has the status ${status}: only a failed action that is not archived can be retried.`;
  const hint =
    status === "failed" ? "The action was archived: dispatch a new action." : "Dispatch a new action instead.";
  return { code: "run_not_startable", message, hint };
}

function actionRetired({ row }: RetiredAction): Refusal {
  return {
    code: "execution_final",
    message: `The action ${row.id} has ended, and its retention period is over.`,
    hint: "Dispatch a new action instead.",
  };
}
