// Restart: starts an execution that continues an earlier one. The earlier execution must have ended; on request it is
// canceled first. Its history contains the results of its actions, and the new execution skips these actions unless the
// request repeats them.
import { effectsMade } from "#kernel/execution/restart/effects-made.ts";
import { refuseRestart } from "#kernel/execution/restart/first-move.ts";
import { mergePatch, byteLength } from "#kernel/language/json-values.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ListedResult, ReusableResult, RestartPoint, Repeat } from "#schema/family/restart.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { JOURNAL_PAGE_ENTRIES_MAX, RESTART_ENTRIES_MAX, RESTART_RESULTS_BYTES_MAX } from "#schema/limits/executions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { cellName } from "../../cells/ids-and-cells.ts";
import { callWithRetry } from "../../cells/call-cell.ts";
import { findDefinition } from "../../definitions/find-definition.ts";
import { programOf } from "../../definitions/program-of.ts";
import type { Deps, TenantCaller } from "../../deps.ts";
import { cancelExecution } from "../control-execution.ts";
import { getJournal, refuseRetired } from "../executions.ts";
import { startExecution } from "../start-executions.ts";

export type RestartExecution = {
  readonly execution: string;
  readonly from: RestartPoint;
  /** The merge patch that is applied to the earlier execution's final variables. */
  readonly variables: JsonObject;
  readonly repeat: Repeat;
  /** The version of the definition to run; null: the earlier execution's version. */
  readonly version: number | null;
  /** True: if the earlier execution has not ended, cancel it first. */
  readonly cancel: boolean;
  readonly reason: string | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};

export type RestartedExecution = {
  readonly reply: Reply;
  /** The id of the earlier execution. */
  readonly of: string;
  readonly from: RestartPoint;
  readonly made: readonly ListedResult[];
  /** False: the earlier history is too long, so only its beginning was read. */
  readonly isWhole: boolean;
};

export async function restartExecution(
  deps: Deps,
  caller: TenantCaller,
  input: RestartExecution,
): Promise<Result<RestartedExecution>> {
  const found = await readEarlier(deps, caller, input.execution);
  if (!found.ok) return found;
  const isLive = !isFinalStatus(found.value.status);
  if (isLive && !input.cancel)
    return refuse(stillLive(found.value, 'Send "cancel": true to cancel the execution first.'));
  // The restart is first tried as a dry run, so that no execution is canceled for a restart that would be refused.
  const trial = isLive ? await startContinuation(deps, caller, { ...input, dryRun: true }, found.value) : null;
  if (trial !== null && (input.dryRun || !trial.ok)) return trial;
  const ended = isLive ? await cancelEarlier(deps, caller, input) : found;
  if (!ended.ok) return ended;
  const unfinished = ended.value.runs.find((run) => !isFinalRun(run.status));
  return unfinished ? refuse(runInProgress(unfinished)) : startContinuation(deps, caller, input, ended.value);
}

async function startContinuation(
  deps: Deps,
  caller: TenantCaller,
  input: RestartExecution,
  earlier: ExecutionState,
): Promise<Result<RestartedExecution>> {
  const { execution, from, repeat, reason, key, dryRun } = input;
  if (earlier.standalone) return refuse(standaloneAction(execution));
  const { id, name, version } = earlier.definition;
  const reference = input.version === null || input.version === version ? id : `${name}@${input.version}`;
  const found = await findDefinition(deps, caller.tenant, reference);
  if (!found.ok) return found;
  const program = programOf(found.value.body);
  const { position } = earlier;
  const refusal = refuseRestart(program, position, from);
  if (refusal) return refusal;
  const history = await readHistory(deps, caller, execution);
  if (!history.ok) return history;
  const { entries, isWhole } = history.value;
  if (!isWhole && repeat !== "all") return refuse(historyTooLong());
  const made = effectsMade({ program, position, from, repeat }, entries);
  const skipped = made.flatMap(({ isKnown: _known, because, ...each }): ReusableResult[] =>
    because === null ? [each] : [],
  );
  if (byteLength(JSON.stringify(skipped)) > RESTART_RESULTS_BYTES_MAX) return refuse(resultsTooLarge());
  const started = await startExecution(deps, caller, {
    definition: reference,
    variables: mergePatch(earlier.variables, input.variables),
    namespace: earlier.namespace,
    correlationId: earlier.correlationId,
    id: null,
    key,
    ...(earlier.reconciling ? { desired: earlier.reconciling.desired.value } : {}),
    restart: { execution, incarnation: earlier.createdAt, from, reason, position, made: skipped },
    requested: fingerprintedPart(input),
    dryRun,
  });
  return started.ok ? accept({ reply: started.value, of: execution, from, made, isWhole }) : started;
}

/**
 * Returns the client's input, from which the fingerprint is computed. It does not depend on the earlier execution, so a
 * repeated request always has the same fingerprint.
 */
function fingerprintedPart({ execution, from, variables, repeat, version, cancel, reason }: RestartExecution): Json {
  return { execution, from, variables, repeat: repeat as Json, version, cancel, reason, restart: true };
}

async function cancelEarlier(
  deps: Deps,
  caller: TenantCaller,
  { execution, reason, key }: RestartExecution,
): Promise<Result<ExecutionState>> {
  const verb = { kind: "cancel", reason: reason ?? "restarted" } as const;
  const cancelKey = key === null ? null : `restart:${key}`;
  const canceled = await cancelExecution(deps, caller, { execution, verb, key: cancelKey, dryRun: false });
  if (!canceled.ok && canceled.refusal.code !== "execution_final") return canceled;
  const after = await readEarlier(deps, caller, execution);
  if (!after.ok || isFinalStatus(after.value.status)) return after;
  const hint =
    'The execution waits for its children. Cancel the execution with "children": "cancel" or "leave", or wait. Then send the request again.';
  return refuse(stillLive(after.value, hint));
}

async function readEarlier(deps: Deps, { tenant }: TenantCaller, execution: string): Promise<Result<ExecutionState>> {
  const answer = await callWithRetry(() => deps.cell(cellName(tenant, execution)).read(execution));
  return refuseRetired(deps, tenant, execution, answer.ok ? answer.value : answer);
}

type History = { readonly entries: readonly JournalEntry[]; readonly isWhole: boolean };

async function readHistory(deps: Deps, caller: TenantCaller, execution: string): Promise<Result<History>> {
  const entries: JournalEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await getJournal(deps, caller, { execution, cursor, limit: JOURNAL_PAGE_ENTRIES_MAX });
    if (!page.ok) return page;
    entries.push(...page.value.entries);
    cursor = page.value.nextCursor;
  } while (cursor !== null && entries.length < RESTART_ENTRIES_MAX);
  return accept({ entries, isWhole: cursor === null });
}

function stillLive({ status }: ExecutionState, hint: string) {
  return {
    code: "execution_live",
    message: `the earlier execution has not ended: its status is ${status}`,
    hint,
  } as const;
}

/** The refusal if a run of the earlier execution is still in progress, for example just after the cancellation. */
function runInProgress({ id, deadlineAt }: Run) {
  const until = deadlineAt === null ? "" : `, at the latest at ${new Date(deadlineAt).toISOString()}`;
  const message = `run ${id} of the earlier execution has not ended${until}, and the restart needs its result`;
  return { code: "execution_live", message, hint: "Send the same request again after that time." } as const;
}

function standaloneAction(execution: string) {
  const hint = `Retry the action instead: POST /v1/actions/${execution}/retry.`;
  return {
    code: "verb_not_applicable",
    message: "the execution is a standalone action, which has no states or nodes",
    hint,
  } as const;
}

function historyTooLong() {
  const message = `the earlier execution's history has more than ${RESTART_ENTRIES_MAX} entries (RESTART_ENTRIES_MAX), so its results cannot be collected`;
  const hint = 'Send "repeat": "all" to repeat every action that is reached, or start a new execution.';
  return { code: "limit_exceeded", message, hint } as const;
}

function resultsTooLarge() {
  const message = `the earlier execution's results need more than ${RESTART_RESULTS_BYTES_MAX} bytes (RESTART_RESULTS_BYTES_MAX)`;
  const hint = 'Name actions that may be repeated in "repeat", or send "repeat": "all".';
  return { code: "limit_exceeded", message, hint } as const;
}
