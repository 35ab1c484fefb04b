// Sends a run that failed for good again, whoever asks and under whatever name: as it was, or changed. A changed config
// is looked at first: what would only fail again is refused, and nothing has changed.
import { hasTaken } from "#kernel/execution/receipts/receipts.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { DeadLetterName } from "#schema/dead-letter.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { mayRetryWith } from "../caller/scopes.ts";
import { readState } from "../cells/read-state.ts";
import { controlExecution } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { checkEdit } from "./check-edit.ts";

/** Merge patches over the action's config and the execution's variables; null: the same bytes again. */
export type Edit = { readonly config: JsonObject | null; readonly variables: JsonObject | null };
export type RetryRun = DeadLetterName &
  Edit & {
    /** Also where its machine has taken care of the failure. */
    readonly force: boolean;
    /** One try and no more. */
    readonly once: boolean;
    readonly reason: string | null;
    readonly key: string | null;
    readonly dryRun: boolean;
    /** Only as long as its execution stands there. */
    readonly ifState?: string | null;
  };

export const unchanged: Edit = { config: null, variables: null };

type How = { readonly force: boolean; readonly once: boolean };

/** Forced, or once, only where it says so: what was asked for before there was a word for it has the same digest. */
export function retryVerb(run: string, { config, variables }: Edit, reason: string | null, how: How = asUsual) {
  const said = { ...(how.force ? { force: true as const } : {}), ...(how.once ? { once: true as const } : {}) };
  return { kind: "retry", run, config, variables, reason, ...said } as const;
}

const asUsual: How = { force: false, once: false };

/** `known` is the execution's state where the caller has just read it. */
export async function retryRun(
  deps: Deps,
  caller: TenantCaller,
  input: RetryRun,
  known: ExecutionState | null = null,
): Promise<Result<Reply>> {
  const may = mayRetryWith(caller, input.config);
  if (!may.ok) return may;
  const config = input.config === null ? accept(null) : await checkedConfig(deps, caller, input, input.config, known);
  if (!config.ok) return config;
  const { execution, run, key, dryRun } = input;
  const { ifState = null } = input;
  const asked = { ...retryVerb(run, input, input.reason, input), ...(ifState === null ? {} : { ifState }) };
  return controlExecution(deps, caller, { execution, verb: { ...asked, config: config.value }, key, dryRun, asked });
}

/** Its object remembers what it answered under a key, and is asked again whatever has become of the run since. */
export function isAnswered(state: ExecutionState, key: string | null): boolean {
  return key !== null && hasTaken(state, key, "retry");
}

/** A run that is not there, or no dead letter, is for the execution itself to refuse. */
async function checkedConfig(
  deps: Deps,
  caller: TenantCaller,
  { execution, run: id, key }: RetryRun,
  config: JsonObject,
  known: ExecutionState | null,
): Promise<Result<JsonObject>> {
  const state = known === null ? await readState(deps, caller, { execution }) : accept(known);
  if (!state.ok) return state;
  const run = state.value.runs.find((each) => each.id === id);
  return run?.deadLetter && !isAnswered(state.value, key) ? checkEdit(deps, state.value, run, config) : accept(config);
}
