// Operation commands: builds the command that an operation sends to one execution, or one command for each matching
// run. If the operation names runs by their action, the execution is read first to find their ids.
import { hasAccepted } from "#kernel/execution/receipts/receipts.ts";
import type { ControlItem } from "#schema/engine/cell.ts";
import { currentHold, isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ExecutionCommand, RecheckedFilter } from "#schema/engine/execution-command.ts";
import type { OperationTerms } from "#schema/operation.ts";
import type { Refusal } from "#schema/refusal.ts";
import { fingerprint } from "../caller/stored-responses.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { retryVerb, noEdit } from "../dead-letters/retry-run.ts";
import type { Deps } from "../deps.ts";
import type { ControlVerb } from "../executions/control-execution.ts";
import type { CellItem } from "./call-item-cells.ts";
import { actorOf } from "./operations.ts";

export type CommandItem = CellItem & { readonly incarnation: number };
/** `run`: the run that the command is about; null if it is about the whole execution. */
export type OperationCommand = { readonly item: ControlItem; readonly run: string | null };
export type ExecutionOperation = Pick<OperationTerms, "id" | "tenant" | "actor" | "filter" | "reason" | "ifState"> & {
  readonly steer: ExecutionCommand;
};

/**
 * Returns the commands for one execution, or the execution's refusal to be read. Throws if the execution cannot be
 * reached.
 */
export async function commandsOf(
  deps: Pick<Deps, "cell">,
  terms: ExecutionOperation,
  cell: string,
  item: CommandItem,
): Promise<readonly OperationCommand[] | Refusal> {
  const { steer } = terms;
  const whole = executionVerb(terms, steer);
  if (whole !== null) return [await buildCommand(terms, item, whole, null)];
  const read = await callWithRetry(() => deps.cell(cell).read(item.execution));
  if (!read.ok) throw new Error(read.refusal.message);
  if (!read.value.ok) return read.value.refusal;
  const state = read.value.value;
  const commands = state.runs.flatMap((run) => {
    const verb = runVerb(terms, steer, run);
    return verb !== null && appliesToRun(terms, steer, state, run, verb)
      ? [buildCommand(terms, item, verb, run.id)]
      : [];
  });
  return Promise.all(commands);
}

async function buildCommand(
  terms: ExecutionOperation,
  item: CommandItem,
  verb: ControlVerb,
  run: string | null,
): Promise<OperationCommand> {
  const { execution, incarnation } = item;
  const ifState = terms.ifState === undefined ? {} : { ifState: terms.ifState };
  const fields = {
    inputId: inputIdOf(terms, run),
    fingerprint: await fingerprint(verb),
    actor: actorOf(terms),
    ...ifState,
  };
  return {
    item: { execution, incarnation, command: { ...verb, ...fields }, dryRun: false, only: conditionOf(terms) },
    run,
  };
}

/**
 * Builds the command's id. An execution stores only its own input ids, so the operation's id suffices, plus the run for
 * a run's command.
 */
function inputIdOf({ id }: Pick<ExecutionOperation, "id">, run: string | null): string {
  return run === null ? id : `${id}/${run}`;
}

function conditionOf({ filter: { status, state } }: Pick<OperationTerms, "filter">): RecheckedFilter {
  return { ...(status === undefined ? {} : { status }), ...(state === undefined ? {} : { state }) };
}

const SOURCE = "operation";

/** Returns the verb for the whole execution; null if the operation's verb is about runs. */
function executionVerb({ id, reason }: ExecutionOperation, steer: ExecutionCommand): ControlVerb | null {
  switch (steer.verb) {
    case "pause":
    case "resume":
      return { kind: steer.verb, reason };
    case "cancel":
      return { kind: "cancel", reason, ...(steer.children === undefined ? {} : { children: steer.children }) };
    case "patch":
      return { kind: "patch", variables: steer.variables, reason };
    case "event": {
      const { type, payload, source } = steer;
      return { kind: "event", event: { id, type, payload, source: source ?? SOURCE, correlationId: null } };
    }
    case "desire":
      return { kind: "desire", desired: steer.desired, mode: steer.mode, ifRevision: null, reason };
    case "skip":
      return "node" in steer.target ? { kind: "skip", target: steer.target, ...resultOf(steer), reason } : null;
    case "reschedule":
      return "timer" in steer.target ? { kind: "reschedule", target: steer.target, at: steer.at, reason } : null;
    case "retry":
    case "hold":
    case "release":
      return null;
  }
}

/** Returns the verb for one run; null if the operation does not apply to this run. */
function runVerb({ reason }: ExecutionOperation, steer: ExecutionCommand, { id, action }: Run): ControlVerb | null {
  const run = id;
  switch (steer.verb) {
    case "retry":
      return steer.action === null || steer.action === action ? retryVerb(run, noEdit, reason) : null;
    case "hold":
    case "release":
      return steer.action === action ? { kind: steer.verb, run, reason } : null;
    case "skip":
      return namesAction(steer.target, action) ? { kind: "skip", target: { run }, ...resultOf(steer), reason } : null;
    case "reschedule":
      return namesAction(steer.target, action) ? { kind: "reschedule", target: { run }, at: steer.at, reason } : null;
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

function resultOf({ result }: Extract<ExecutionCommand, { verb: "skip" }>) {
  return result === undefined ? {} : { result };
}

/**
 * True if the command applies to the run, or if the operation has commanded the run before: a repeated slice then gets
 * the same answers.
 */
function appliesToRun(
  terms: ExecutionOperation,
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
  return isApplicable[verb] || hasAccepted(state, inputIdOf(terms, run.id), kind);
}
