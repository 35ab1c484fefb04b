// What a person decides about a dead letter: it is sent again, as it was or changed, or let lie.
import type { Reply } from "#schema/engine/cell.ts";
import type { DeadLetterName } from "#schema/dead-letter.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Run } from "#schema/engine/run.ts";
import { controlExecution } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { mendedIfGone } from "./find-dead-letter.ts";
import { retryRun, type RetryRun } from "./retry-run.ts";

export type ArchiveDeadLetter = Omit<RetryRun, "config" | "variables" | "force" | "once">;
export type Redriven = { readonly reply: Reply; readonly run: Run };

export async function retryDeadLetter(deps: Deps, caller: TenantCaller, input: RetryRun): Promise<Result<Redriven>> {
  return redriven(deps, caller, input, await retryRun(deps, caller, input));
}

export async function archiveDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  input: ArchiveDeadLetter,
): Promise<Result<Redriven>> {
  const { execution, run, reason, key, dryRun } = input;
  const verb = { kind: "archive", run, reason } as const;
  return redriven(deps, caller, input, await controlExecution(deps, caller, { execution, verb, key, dryRun }));
}

async function redriven(
  deps: Deps,
  caller: TenantCaller,
  name: DeadLetterName,
  answer: Result<Reply>,
): Promise<Result<Redriven>> {
  const reply = await mendedIfGone(deps, caller, name, answer);
  if (!reply.ok) return reply;
  const run = reply.value.state.runs.find(({ id }) => id === name.run);
  return run === undefined ? refuse(forgotten(name)) : accept({ reply: reply.value, run });
}

/** Only a repeat of a request that is long done comes here: the execution keeps its latest runs at hand. */
function forgotten({ execution, run }: DeadLetterName) {
  return {
    code: "run_not_startable",
    message: `That was done before, and run ${run} has ended long since.`,
    hint: `What became of it stands in GET /v1/executions/${execution}/journal.`,
  } as const;
}
