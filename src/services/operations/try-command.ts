// Operation dry runs: predicts the result of an operation's command for one execution.
import type { ControlItem, Reply } from "#schema/engine/cell.ts";
import type { OperationRequest } from "#schema/operation.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { MatchedExecution, ExecutionCommand } from "#schema/engine/execution-command.ts";
import { COMMAND_KINDS_SHOWN } from "#schema/limits/upkeep/bulk-operations.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { commandsOf } from "./operation-commands.ts";
import { commandOutcome, nothingToDo, outcomeOfRefusal } from "./command-executions.ts";

export type TriedCommand = {
  readonly execution: string;
  /**
   * done: the command would be applied. skipped: the command would change nothing. unknown: the execution does not
   * answer.
   */
  readonly outcome: "done" | "skipped" | "refused" | "gone" | "unknown";
  /** The skip reason, or the refusal's code; null if the outcome is `done` or `gone`. */
  readonly reason: string | null;
  readonly says: string | null;
  readonly status: string | null;
  readonly states: readonly string[];
  /** The kinds of the entries that the command would add to the history. */
  readonly entries: readonly string[];
};
type TriedOperation = Pick<OperationRequest, "filter" | "reason" | "ifState"> & { readonly steer: ExecutionCommand };

const PREVIEW = "preview";

export async function tryCommand(
  deps: Deps,
  { tenant, actor }: TenantCaller,
  { steer, ...conditions }: TriedOperation,
  [execution, incarnation]: MatchedExecution,
): Promise<TriedCommand> {
  const cell = cellName(tenant, execution);
  const operation = { id: PREVIEW, tenant, actor, steer, ...conditions };
  try {
    const commands = await commandsOf(deps, operation, cell, { id: execution, execution, incarnation });
    if ("code" in commands) return outcomeOfRefused(execution, commands);
    const [first] = commands;
    if (first === undefined) return triedCommand(execution, "skipped", nothingToDo(steer));
    const items = commands.map(({ item }): ControlItem => ({ ...item, dryRun: true }));
    const answers = await callWithRetry(() => deps.cell(cell).control(items));
    if (!answers.ok) return triedCommand(execution, "unknown", answers.refusal.code);
    // If the execution has several matching runs, the outcome of the first is reported.
    const [answer] = answers.value;
    return answer === undefined
      ? triedCommand(execution, "unknown", null)
      : outcomeOfReply(steer, execution, first.run, answer);
  } catch (fault) {
    deps.log({ level: "warn", event: "execution_not_sampled", execution, message: String(fault) });
    return triedCommand(execution, "unknown", "unavailable");
  }
}

function outcomeOfReply(
  steer: ExecutionCommand,
  execution: string,
  run: string | null,
  answer: Result<Reply>,
): TriedCommand {
  if (!answer.ok) return outcomeOfRefused(execution, answer.refusal);
  const { state, entries = [] } = answer.value;
  const predicted = {
    status: state.status,
    states: [...state.position.states],
    entries: entries.slice(0, COMMAND_KINDS_SHOWN).map(({ kind }) => kind),
  };
  const outcome = commandOutcome(steer, execution, run, state);
  if (outcome.kind === "skipped") return { ...triedCommand(execution, "skipped", outcome.reason), ...predicted };
  if (outcome.kind === "refused") return { ...triedCommand(execution, "refused", outcome.code), ...predicted };
  return { ...triedCommand(execution, "done", null), ...predicted };
}

function outcomeOfRefused(execution: string, refusal: Refusal): TriedCommand {
  const outcome = outcomeOfRefusal(execution, refusal);
  const says = refusal.message;
  if (outcome.kind === "skipped") return { ...triedCommand(execution, "skipped", outcome.reason), says };
  if (outcome.kind === "gone") return triedCommand(execution, "gone", null);
  if (outcome.kind === "unreached") return { ...triedCommand(execution, "unknown", refusal.code), says };
  return { ...triedCommand(execution, "refused", refusal.code), says };
}

function triedCommand(execution: string, outcome: TriedCommand["outcome"], reason: string | null): TriedCommand {
  return { execution, outcome, reason, says: null, status: null, states: [], entries: [] };
}
