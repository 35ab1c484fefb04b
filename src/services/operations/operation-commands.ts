// Operation commands: builds the commands that an operation sends to one execution. A command is about the whole
// execution or about one matching run. If the operation names runs by their action, the execution is read first to find
// their ids.
import { hasAccepted } from "#kernel/execution/receipts/receipts.ts";
import type { ControlItem } from "#schema/engine/cell.ts";
import { currentHold, isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ExecutionCommand, RecheckedFilter } from "#schema/engine/execution-command.ts";
import type { OperationRequest } from "#schema/operation.ts";
import type { Refusal } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { retryVerb, noEdit } from "../dead-letters/retry-run.ts";
import type { Deps } from "../deps.ts";
import type { ControlVerb } from "../executions/control-execution.ts";
import type { CellItem } from "./call-item-cells.ts";
import { actorOf } from "./operations.ts";

export type CommandItem = CellItem & { readonly incarnation: number };
/** `run`: the run that the command is about; null if it is about the whole execution. */
export type OperationCommand = { readonly item: ControlItem; readonly run: string | null };
export type ExecutionOperation = Pick<OperationRequest, "id" | "tenant" | "actor" | "filter" | "reason" | "ifState"> & {
  readonly steer: ExecutionCommand;
};

/**
 * Returns the commands for one execution. Returns the execution's refusal if it cannot be read. Throws if it cannot be
 * reached.
 */
export async function commandsOf(
  deps: Pick<Deps, "cell">,
  operation: ExecutionOperation,
  cell: string,
  item: CommandItem,
): Promise<readonly OperationCommand[] | Refusal> {
  const { steer: command } = operation;
  const verbOfExecution = executionVerb(operation, command);
  if (verbOfExecution !== null) return [await buildCommand(operation, item, verbOfExecution, null)];
  const read = await callWithRetry(() => deps.cell(cell).read(item.execution));
  if (!read.ok) throw new Error(read.refusal.message);
  if (!read.value.ok) return read.value.refusal;
  const state = read.value.value;
  const commands = state.runs.flatMap((run) => {
    const verb = runVerb(operation, command, run);
    return verb !== null && appliesToRun(operation, command, state, run, verb)
      ? [buildCommand(operation, item, verb, run.id)]
      : [];
  });
  return Promise.all(commands);
}

async function buildCommand(
  operation: ExecutionOperation,
  item: CommandItem,
  verb: ControlVerb,
  run: string | null,
): Promise<OperationCommand> {
  const { execution, incarnation } = item;
  const ifState = operation.ifState === undefined ? {} : { ifState: operation.ifState };
  const fields = {
    inputId: inputIdOf(operation, run),
    fingerprint: await fingerprint(verb),
    actor: actorOf(operation),
    ...ifState,
  };
  return {
    item: { execution, incarnation, command: { ...verb, ...fields }, dryRun: false, only: conditionOf(operation) },
    run,
  };
}

/**
 * Builds the id of a command. Each execution stores its own input ids, so the operation's id is unique there. The id of
 * a command to a run also contains the run's id.
 */
function inputIdOf({ id }: Pick<ExecutionOperation, "id">, run: string | null): string {
  return run === null ? id : `${id}/${run}`;
}

function conditionOf({ filter: { status, state } }: Pick<OperationRequest, "filter">): RecheckedFilter {
  return { ...(status === undefined ? {} : { status }), ...(state === undefined ? {} : { state }) };
}

const SOURCE = "operation";

/** Returns the verb for the whole execution; null if the operation's verb is about runs. */
function executionVerb({ id, reason }: ExecutionOperation, command: ExecutionCommand): ControlVerb | null {
  switch (command.verb) {
    case "pause":
    case "resume":
      return { kind: command.verb, reason };
    case "cancel":
      return { kind: "cancel", reason, ...(command.children === undefined ? {} : { children: command.children }) };
    case "patch":
      return { kind: "patch", variables: command.variables, reason };
    case "event": {
      const { type, payload, source } = command;
      return { kind: "event", event: { id, type, payload, source: source ?? SOURCE, correlationId: null } };
    }
    case "desire":
      return { kind: "desire", desired: command.desired, mode: command.mode, ifRevision: null, reason };
    case "skip":
      return "node" in command.target ? { kind: "skip", target: command.target, ...resultOf(command), reason } : null;
    case "reschedule":
      return "timer" in command.target ? { kind: "reschedule", target: command.target, at: command.at, reason } : null;
    case "retry":
    case "hold":
    case "release":
    case "cancel-action":
      return null;
  }
}

/** Returns the verb for one run; null if the operation does not apply to this run. */
function runVerb({ reason }: ExecutionOperation, command: ExecutionCommand, { id, action }: Run): ControlVerb | null {
  const run = id;
  switch (command.verb) {
    case "retry":
      return command.action === null || command.action === action ? retryVerb(run, noEdit, reason) : null;
    case "hold":
    case "release":
      return command.action === action ? { kind: command.verb, run, reason } : null;
    case "cancel-action":
      return command.action === action ? { kind: "cancelAction", target: { run }, ...resultOf(command), reason } : null;
    case "skip":
      return namesAction(command.target, action)
        ? { kind: "skip", target: { run }, ...resultOf(command), reason }
        : null;
    case "reschedule":
      return namesAction(command.target, action)
        ? { kind: "reschedule", target: { run }, at: command.at, reason }
        : null;
    case "pause":
    case "resume":
    case "cancel":
    case "patch":
    case "event":
    case "desire":
      return null;
  }
}

function namesAction(target: object, action: string): boolean {
  return "action" in target && target.action === action;
}

function resultOf({ result }: Extract<ExecutionCommand, { verb: "skip" | "cancel-action" }>) {
  return result === undefined ? {} : { result };
}

/**
 * True if the command applies to the run, or if this operation has already commanded the run. In the second case a
 * repeated slice gets the same answers.
 */
function appliesToRun(
  operation: ExecutionOperation,
  { verb }: ExecutionCommand,
  state: ExecutionState,
  run: Run,
  { kind }: ControlVerb,
): boolean {
  const isWaiting = run.deadLetter && !isHandled(run);
  const isOpen = !isFinalRun(run.status);
  const isHeld = currentHold(run) !== null;
  const isApplicable = {
    retry: isWaiting,
    skip: isOpen || isWaiting,
    "cancel-action": isOpen,
    reschedule: isOpen,
    hold: isOpen && !isHeld,
    release: isHeld,
    pause: false,
    resume: false,
    cancel: false,
    patch: false,
    event: false,
    desire: false,
  };
  return isApplicable[verb] || hasAccepted(state, inputIdOf(operation, run.id), kind);
}
