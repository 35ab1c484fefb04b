// Cancels an action on its own, or sends a failed one again. Both are what they are for the execution that carries it;
// here the asked-for id is known to be one, and refusals speak of the action.
import { actionRun, actionStatus } from "#schema/engine/action-status.ts";
import type { RetiredAction, SeenAction } from "#schema/engine/action-status.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { checkEdit } from "../dead-letters/check-edit.ts";
import { controlExecution, type ControlVerb } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findAction, seenAction } from "./find-action.ts";

type Asked = {
  readonly id: string;
  readonly reason: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type RetryAction = Asked & { readonly config: JsonObject | null; readonly variables: JsonObject | null };
export type SteeredAction = { readonly reply: Reply; readonly seen: SeenAction };

export async function cancelAction(deps: Deps, caller: TenantCaller, asked: Asked): Promise<Result<SteeredAction>> {
  const found = await findLive(deps, caller, asked.id);
  if (!found.ok) return found;
  const run = actionRun(found.value.state);
  const isOver = run !== undefined && isFinalRun(run.status);
  if (isOver && !isRepeat(found.value, asked)) return refuse(ended(found.value));
  return steer(deps, caller, asked, { kind: "cancel", reason: asked.reason });
}

export async function retryAction(
  deps: Deps,
  caller: TenantCaller,
  asked: RetryAction,
): Promise<Result<SteeredAction>> {
  const found = await findLive(deps, caller, asked.id);
  if (!found.ok) return found;
  const { state } = found.value;
  const run = actionRun(state);
  const { config, variables, reason } = asked;
  const verb = { kind: "retry", run: run?.id ?? "", config, variables, reason } as const;
  if (isRepeat(found.value, asked)) return steer(deps, caller, asked, verb);
  if (run === undefined || !run.deadLetter) return refuse(notFailed(found.value));
  const checked = config === null ? accept(null) : await checkEdit(deps, state, run, config);
  return checked.ok ? steer(deps, caller, asked, { ...verb, config: checked.value }, verb) : checked;
}

async function findLive(deps: Deps, caller: TenantCaller, id: string): Promise<Result<SeenAction>> {
  const found = await findAction(deps, caller, { id });
  if (!found.ok) return found;
  return found.value.kind === "live" ? accept(found.value.seen) : refuse(retired(found.value.retired));
}

/** Its object remembers what it answered, and is asked again whatever has become of the action since. */
function isRepeat({ state }: SeenAction, { key }: Asked): boolean {
  return key !== null && state.receipts.some(({ inputId }) => inputId === key);
}

/** `wanted` is what was asked for, where the verb holds more than that. */
async function steer(
  deps: Deps,
  caller: TenantCaller,
  { id, key, dryRun }: Asked,
  verb: ControlVerb,
  wanted: ControlVerb = verb,
): Promise<Result<SteeredAction>> {
  const reply = await controlExecution(deps, caller, { execution: id, verb, key, dryRun, asked: wanted });
  if (!reply.ok) return reply;
  const seen = seenAction(deps, reply.value.state);
  return seen.ok ? accept({ reply: reply.value, seen: seen.value }) : seen;
}

function ended({ state }: SeenAction): Refusal {
  const hint = actionRun(state)?.deadLetter
    ? "It failed and waits for a person: retry it, or archive its dead letter."
    : "Nothing is left to be canceled.";
  return { code: "execution_final", message: `The action ${state.id} is ${actionStatus(state)} already.`, hint };
}

function notFailed({ state }: SeenAction): Refusal {
  const status = actionStatus(state);
  const message = `The action ${state.id} is ${status}: only a failed one that nobody has archived is sent again.`;
  const hint = status === "failed" ? "It was archived: dispatch it anew." : "Dispatch a new action instead.";
  return { code: "run_not_startable", message, hint };
}

function retired({ row }: RetiredAction): Refusal {
  return {
    code: "execution_final",
    message: `The action ${row.id} has ended, and its retention is over.`,
    hint: "Dispatch a new action instead.",
  };
}
