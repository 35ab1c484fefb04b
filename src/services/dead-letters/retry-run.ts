// Retries of failed runs, optionally with an edited config or edited variables. Routes, bulk operations and standalone
// actions use this.
import { hasAccepted } from "#kernel/execution/receipts/receipts.ts";
import { mergePatch } from "#kernel/language/json-values.ts";
import { templateFindings } from "#kernel/language/render.ts";
import type { DeadLetterName } from "#schema/dead-letter-filter.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { actionOfRun } from "../actions/check-action.ts";
import { requireRetryScope } from "../caller/authenticate.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { controlExecution } from "../executions/control-execution.ts";
import { pinOneAction } from "../templates/pin-templates.ts";
import { refuseIfGone } from "./find-dead-letter.ts";

const AT = "/config";

export async function checkEdit(
  deps: Deps,
  state: ExecutionState,
  run: Run,
  patch: JsonObject,
): Promise<Result<JsonObject>> {
  const found = await actionOfRun(deps, state, run.action);
  if (!found.ok) return found;
  const config = mergePatch(run.edit ?? found.value.config, patch);
  const runnerFindings = deps.configFindings(run.type, config).map((each) => ({ ...each, pointer: AT + each.pointer }));
  const pinned = await pinOneAction(deps, state.tenant, { ...found.value, config }, "");
  const namesTemplate = Object.hasOwn(patch, "template");
  // A run whose template was archived meanwhile can still be sent. So the finding template_archived counts only if the
  // patch itself names the template.
  const ofTemplate = pinned.findings.filter(({ code }) => namesTemplate || code !== "template_archived");
  const findings = [...runnerFindings, ...templateFindings(config, AT), ...ofTemplate];
  if (findings.length > 0) return refuse(configInvalid(findings));
  const { template } = pinned.action.config;
  return accept(namesTemplate && template !== undefined ? { ...patch, template } : patch);
}

function configInvalid(errors: readonly Finding[]) {
  return {
    code: "config_invalid",
    message: `With these changes the action's config would be invalid (number of findings: ${errors.length}).`,
    hint: "Nothing was changed. `config` is a merge patch: send only the fields to change; null removes a field.",
    errors,
  } as const;
}

/**
 * JSON merge patches of the action's config and of the execution's variables; null: unchanged. If both are null, the
 * retry sends the same bytes again.
 */
export type RetryEdit = { readonly config: JsonObject | null; readonly variables: JsonObject | null };
export type RetryRun = DeadLetterName &
  RetryEdit & {
    /** True: retry a run even if its program has already handled the failure. */
    readonly force: boolean;
    /** True: make one attempt only, even if the retry policy allows more. */
    readonly once: boolean;
    readonly reason: string | null;
    readonly key: string | null;
    readonly dryRun: boolean;
    /** Retry only while the execution is in this state. Null or absent: in any state. */
    readonly ifState?: string | null;
  };

export const noEdit: RetryEdit = { config: null, variables: null };

type RetryMode = { readonly force: boolean; readonly once: boolean };

/**
 * Builds the retry verb. `force` and `once` are added only if they are true, because the fingerprint of a request must
 * not depend on the defaults.
 */
export function retryVerb(
  run: string,
  { config, variables }: RetryEdit,
  reason: string | null,
  how: RetryMode = NORMAL_MODE,
) {
  const flags = { ...(how.force ? { force: true as const } : {}), ...(how.once ? { once: true as const } : {}) };
  return { kind: "retry", run, config, variables, reason, ...flags } as const;
}

const NORMAL_MODE: RetryMode = { force: false, once: false };

/**
 * Retries a failed run. `known` is the execution's state if the caller has just read it. If it is null, the state is
 * read when needed.
 */
export async function retryRun(
  deps: Deps,
  caller: TenantCaller,
  input: RetryRun,
  knownState: ExecutionState | null = null,
): Promise<Result<Reply>> {
  const allowed = requireRetryScope(caller, input.config);
  if (!allowed.ok) return allowed;
  const config =
    input.config === null ? accept(null) : await checkedConfig(deps, caller, input, input.config, knownState);
  if (!config.ok) return config;
  const { execution, run, key, dryRun } = input;
  const { ifState = null } = input;
  const requested = { ...retryVerb(run, input, input.reason, input), ...(ifState === null ? {} : { ifState }) };
  return controlExecution(deps, caller, {
    execution,
    verb: { ...requested, config: config.value },
    key,
    dryRun,
    requested,
  });
}

/**
 * True if the execution has already applied a retry under this key. The execution's object then replays the stored
 * answer.
 */
export function isRepeatedRetry(state: ExecutionState, key: string | null): boolean {
  return key !== null && hasAccepted(state, key, "retry");
}

/**
 * Checks the edited config against the run's action. It does not refuse a missing run or a run that is no dead letter,
 * because the execution itself refuses these.
 */
async function checkedConfig(
  deps: Deps,
  caller: TenantCaller,
  { execution, run: id, key }: RetryRun,
  config: JsonObject,
  knownState: ExecutionState | null,
): Promise<Result<JsonObject>> {
  const state = knownState === null ? await readState(deps, caller, { execution }) : accept(knownState);
  if (!state.ok) return state;
  const run = state.value.runs.find((each) => each.id === id);
  return run?.deadLetter && !isRepeatedRetry(state.value, key)
    ? checkEdit(deps, state.value, run, config)
    : accept(config);
}

export type ArchiveDeadLetter = Omit<RetryRun, "config" | "variables" | "force" | "once">;
export type RedriveResult = { readonly reply: Reply; readonly run: Run };

export async function retryDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  input: RetryRun,
): Promise<Result<RedriveResult>> {
  return redriveResult(deps, caller, input, await retryRun(deps, caller, input));
}

export async function archiveDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  input: ArchiveDeadLetter,
): Promise<Result<RedriveResult>> {
  const { execution, run, reason, key, dryRun } = input;
  const verb = { kind: "archive", run, reason } as const;
  return redriveResult(deps, caller, input, await controlExecution(deps, caller, { execution, verb, key, dryRun }));
}

async function redriveResult(
  deps: Deps,
  caller: TenantCaller,
  name: DeadLetterName,
  answer: Result<Reply>,
): Promise<Result<RedriveResult>> {
  const reply = await refuseIfGone(deps, caller, name, answer);
  if (!reply.ok) return reply;
  const run = reply.value.state.runs.find(({ id }) => id === name.run);
  return run === undefined ? refuse(runNotStored(name)) : accept({ reply: reply.value, run });
}

/** The refusal of a repeated retry whose run is no longer stored. An execution stores only its latest runs. */
function runNotStored({ execution, run }: DeadLetterName) {
  return {
    code: "run_not_startable",
    message: `This retry was already made, and run ${run} ended long ago.`,
    hint: `GET /v1/executions/${execution}/journal has the result of the run.`,
  } as const;
}
