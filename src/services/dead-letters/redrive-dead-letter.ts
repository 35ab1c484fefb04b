// Sends a dead letter again, as it was or changed, or lets it lie. A changed config is looked at first: what would only
// fail again is refused, and nothing has changed.
import type { Reply } from "#schema/engine/cell.ts";
import type { DeadLetterName } from "#schema/dead-letter.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Run } from "#schema/engine/run.ts";
import { checkEdit } from "./check-edit.ts";
import { controlExecution, type ControlVerb } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { mendedIfGone } from "./find-dead-letter.ts";
import { readState } from "../cells/read-state.ts";

export type ArchiveDeadLetter = DeadLetterName & {
  readonly reason: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type RetryDeadLetter = ArchiveDeadLetter & {
  /** Merge patches over the action's config and the execution's variables; null: the same bytes again. */
  readonly config: JsonObject | null;
  readonly variables: JsonObject | null;
};
export type Redriven = { readonly reply: Reply; readonly run: Run };

export async function retryDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  input: RetryDeadLetter,
): Promise<Result<Redriven>> {
  const { run, variables, reason } = input;
  const config = input.config === null ? accept(null) : await checkedConfig(deps, caller, input, input.config);
  if (!config.ok) return mendedIfGone(deps, caller, input, config);
  const verb = { kind: "retry", run, config: config.value, variables, reason } as const;
  return control(deps, caller, input, verb, { ...verb, config: input.config });
}

export function archiveDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  input: ArchiveDeadLetter,
): Promise<Result<Redriven>> {
  const { run, reason } = input;
  return control(deps, caller, input, { kind: "archive", run, reason });
}

async function control(
  deps: Deps,
  caller: TenantCaller,
  input: ArchiveDeadLetter,
  verb: ControlVerb,
  asked?: Json,
): Promise<Result<Redriven>> {
  const { execution, run: id, key, dryRun } = input;
  const controlled = await controlExecution(deps, caller, {
    ...{ execution, verb, key, dryRun },
    ...(asked === undefined ? {} : { asked }),
  });
  const reply = await mendedIfGone(deps, caller, input, controlled);
  if (!reply.ok) return reply;
  const run = reply.value.state.runs.find((each) => each.id === id);
  return run === undefined ? refuse(forgotten(input)) : accept({ reply: reply.value, run });
}

/** Only a repeat of a request that is long done comes here: the execution keeps its latest runs at hand. */
function forgotten({ execution, run }: DeadLetterName) {
  return {
    code: "run_not_startable",
    message: `That was done before, and run ${run} has ended long since.`,
    hint: `What became of it stands in GET /v1/executions/${execution}/journal.`,
  } as const;
}

/** A run that is not there, or no dead letter, is for the execution itself to refuse. */
async function checkedConfig(
  deps: Deps,
  caller: TenantCaller,
  { execution, run: id }: DeadLetterName,
  config: JsonObject,
): Promise<Result<JsonObject>> {
  const state = await readState(deps, caller, { execution });
  if (!state.ok) return state;
  const run = state.value.runs.find((each) => each.id === id);
  return run?.deadLetter ? checkEdit(deps, state.value, run, config) : accept(config);
}
