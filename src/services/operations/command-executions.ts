// Execution operations: sends an operation's command to a slice of executions. Each command's id is derived from the
// operation. So a repeated slice changes nothing and gets the same answers. An execution that no longer matches is
// skipped.
import type { Reply } from "#schema/engine/cell.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { MatchedExecution } from "#schema/engine/execution-command.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import { accept, type Refusal, type Result } from "#schema/refusal.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { failedItem, callWithRetry } from "../cells/call-cell.ts";
import { cancelExecution } from "../executions/control-execution.ts";
import type { Deps } from "../deps.ts";
import { redriveOutcome } from "./command-dead-letters.ts";
import { callItemCells, unreached } from "./call-item-cells.ts";
import { commandsOf, type OperationCommand, type CommandItem, type ExecutionOperation } from "./operation-commands.ts";

type AnsweredCommand = OperationCommand & { readonly answer: Result<Reply> | undefined };

export async function commandExecutions(
  deps: Deps,
  operation: OperationRequest,
  lines: readonly NumberedLine[],
): Promise<readonly ItemOutcome[]> {
  const { steer } = operation;
  if (steer === undefined)
    throw new Error(`operation ${operation.id} does not act on executions: it has no verb such as cancel`);
  const items = lines.map(({ id, line }): CommandItem => {
    // findOperationExecutions stored the line in this form.
    const [execution, incarnation] = line as unknown as MatchedExecution;
    return { id, execution, incarnation };
  });
  return callItemCells(deps, operation, items, (cell, ofCell) =>
    commandCell(deps, { ...operation, steer }, cell, ofCell),
  );
}

async function commandCell(
  deps: Deps,
  operation: ExecutionOperation,
  cell: string,
  items: readonly CommandItem[],
): Promise<readonly ItemOutcome[]> {
  const asked = await Promise.all(items.map((item) => commandsOf(deps, operation, cell, item)));
  const commandsToSend = asked.flatMap((command) => ("code" in command ? [] : command));
  const send = () => deps.cell(cell).control(commandsToSend.map(({ item }) => item));
  const answers = commandsToSend.length === 0 ? accept([]) : await callWithRetry(send);
  if (!answers.ok) return unreached(items, answers.refusal.message);
  let next = 0;
  const outcomes = items.map((item, n) => {
    const commands = asked[n] ?? [];
    if ("code" in commands) return outcomeOfRefusal(item.id, commands);
    const answered = commands.map((command): AnsweredCommand => ({ ...command, answer: answers.value[next++] }));
    return outcomeOfItem(deps, operation, item, answered).catch((fault: unknown): ItemOutcome => {
      failedItem(deps, { operation: operation.id, execution: item.execution }, fault);
      return { id: item.id, kind: "unreached", error: String(fault) };
    });
  });
  return Promise.all(outcomes);
}

async function outcomeOfItem(
  deps: Deps,
  operation: ExecutionOperation,
  item: CommandItem,
  answered: readonly AnsweredCommand[],
): Promise<ItemOutcome> {
  const { id } = item;
  const outcomes = await Promise.all(answered.map((command) => outcomeOfCommand(deps, operation, item, command)));
  const first = (...kinds: readonly ItemOutcome["kind"][]) => outcomes.find(({ kind }) => kinds.includes(kind));
  // An item with several runs gets the most urgent of their outcomes: a run that was not reached is retried, so its
  // outcome comes first.
  const nothing = { id, kind: "skipped", reason: nothingToDo(operation.steer) } as const;
  return first("unreached") ?? first("released") ?? first("refused") ?? outcomes[0] ?? nothing;
}

/** Returns the reason with which an execution is skipped because it has no run for the verb. */
export function nothingToDo({ verb }: ExecutionOperation["steer"]): string {
  return `nothing_to_${verb}`;
}

async function outcomeOfCommand(
  deps: Deps,
  operation: ExecutionOperation,
  { id, execution }: CommandItem,
  { answer, run, item }: AnsweredCommand,
): Promise<ItemOutcome> {
  if (answer === undefined) return { id, kind: "unreached", error: "the execution's cell returned no answer" };
  if (!answer.ok && answer.refusal.code === "execution_unreadable" && item.command.kind === "cancel") {
    const { inputId, fingerprint: _digest, actor, ...verb } = item.command;
    const caller = { tenant: operation.tenant, actor, scopes: ["operate"] } as const;
    const canceled = await cancelExecution(deps, caller, {
      execution,
      verb,
      key: inputId,
      dryRun: false,
      incarnation: item.incarnation,
    });
    return canceled.ok ? { id, kind: "released" } : outcomeOfRefusal(id, canceled.refusal);
  }
  if (!answer.ok) return outcomeOfRefusal(id, answer.refusal);
  return commandOutcome(operation.steer, id, run, answer.value.state);
}

/** Returns the outcome of an accepted command. For a retry, it is the outcome of the retried run. */
export function commandOutcome(
  { verb }: ExecutionOperation["steer"],
  id: string,
  run: string | null,
  { runs }: Pick<ExecutionState, "runs">,
): ItemOutcome {
  const found = verb === "retry" ? runs.find((command) => command.id === run) : undefined;
  return found === undefined ? { id, kind: "released" } : redriveOutcome(id, found);
}

/**
 * Returns the outcome of a refused command. An execution in which nothing is left to do counts as skipped, not as
 * refused.
 */
export function outcomeOfRefusal(id: string, { code, message, details }: Refusal): ItemOutcome {
  if (details?.["notMeant"] !== undefined) return { id, kind: "skipped", reason: "no_longer_matching", message };
  if (code === "internal_error") return { id, kind: "unreached", error: message, isBroken: true };
  if (code === "unavailable") return { id, kind: "unreached", error: message };
  if (code === "not_found") return { id, kind: "gone" };
  const reason = skipReasons.get(code);
  return reason === undefined ? { id, kind: "refused", code, message } : { id, kind: "skipped", reason, message };
}

const skipReasons: ReadonlyMap<Refusal["code"], string> = new Map([
  ["execution_final", "ended"],
  ["execution_paused", "paused"],
  ["execution_not_paused", "not_paused"],
  ["state_changed", "state_changed"],
  ["run_not_startable", "nothing_to_retry"],
]);
