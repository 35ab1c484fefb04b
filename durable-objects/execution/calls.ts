// Calls of a cell: converts the items of a call to inputs, and the results to answers. Also handles the alarm. The
// object, the simulator and the API tests use these calls with their own ports.
import type {
  Cell,
  ClaimItem,
  ConfirmItem,
  ControlItem,
  Reply,
  SettleItem,
  SettleAnswer,
  StartItem,
  UndeliverableItem,
} from "#schema/engine/cell.ts";
import { carriedRunOf } from "#kernel/execution/attempts.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { CellEngine } from "./cell.ts";
import { answerOf } from "./item-answers.ts";
import { explainFrom } from "./explain.ts";
import { refuseAbsent } from "./heads/unreadable.ts";
import { readJournal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import { preview } from "./preview.ts";
import type { InputItem, AppliedInput } from "./apply-input.ts";
import { openRunWakes } from "./waking/run-wakes.ts";
import { ticketOf } from "./ticket.ts";
import { acceptsOf, definitionKey } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { openWaking, type Waking, type WakingPorts } from "./waking/waking.ts";

/**
 * The ports of a cell's calls. `getAlarm` returns the wake for which the platform's alarm is set; null without an
 * alarm.
 */
export type CallPorts = WakingPorts & Pick<Ports, "storage"> & { readonly getAlarm: () => Promise<number | null> };

export type Calls = Cell & Pick<Waking, "alarm">;

export function openCalls(cell: CellEngine, ports: CallPorts): Calls {
  const runWakes = openRunWakes(cell, ports);
  const { wakeFor, alarm } = openWaking(cell, runWakes, ports);
  const applyWithReply = async (items: readonly InputItem[]): Promise<readonly Result<Reply>[]> => {
    const results = await cell.applyInputs(items);
    return results.map((result) => (result.ok ? accept(replyOf(result.value, ports.storage)) : result));
  };

  const applyWithoutReply = async (items: readonly InputItem[]): Promise<readonly Result<null>[]> => {
    const results = await cell.applyInputs(items);
    return results.map((result) => (result.ok ? accept(null) : result));
  };

  return {
    start: async (items) => {
      const replies = await applyWithReply(items.map(startItem));
      return replies.map((reply, index) => withStoredDefinition(reply, items[index], ports.storage));
    },
    control: async (items) => {
      const results = await applyWithReply(items.filter(({ dryRun }) => !dryRun).map(controlItem));
      const replies = results.values();
      return items.map((item) =>
        item.dryRun
          ? answerOf(ports, item.execution, () => preview(cell, ports.storage, controlItem(item)))
          : (replies.next().value ??
            refuse({ code: "unavailable", message: "The runner returned no answer for this run." })),
      );
    },
    claimMany: async (items) => {
      const results = await cell.applyInputs(items.map(claimItem));
      return results.map((result, index) => ticketFor(result, items[index]));
    },
    settleMany: async (items) => {
      const results = await cell.applyInputs(items.map(settleItem));
      return results.map((result): Result<SettleAnswer> =>
        result.ok ? accept({ next: result.value.next ?? null }) : result,
      );
    },
    undeliverable: (items) => applyWithoutReply(items.map(undeliverableItem)),
    confirm: (items) => applyWithoutReply(items.map(confirmItem)),
    wakeRuns: runWakes.wake,
    place: (items) => applyWithReply(items.map(confirmItem)),
    poke: async (executions) => {
      cell.alarm.noteArmed(await ports.getAlarm());
      const results = await cell.applyInputs(executions.map(tickItem));
      await wakeFor(executions);
      return results.map((result) => (result.ok ? accept(result.value.state) : result));
    },
    reproject: (executions) => cell.projectAgain(executions),
    read: async (execution) => stateOf(cell, execution),
    journal: async (query) => readJournal(cell.heads, ports.storage, query),
    explain: async (query) => answerOf(ports, query.execution, () => explainFrom(cell, ports.storage, query)),
    alarm,
  };
}

function startItem({ command, definition }: StartItem): InputItem {
  return { execution: command.execution, command, definition: definition ?? null, direct: true };
}

function controlItem({ execution, command, incarnation, known, only }: ControlItem): InputItem {
  return { execution, command, incarnation, known, only, direct: true };
}

function claimItem({ execution, run, attempt, by }: ClaimItem): InputItem {
  return { execution, command: { kind: "claim", run, attempt, lane: "queue", ...(by ? { by } : {}) }, direct: true };
}

function settleItem({
  execution,
  run,
  attempt,
  outcome,
  by,
  takesNext = false,
  takesSlow = false,
}: SettleItem): InputItem {
  const next: InputItem["next"] = takesNext ? { slow: takesSlow, ...(by ? { by } : {}) } : null;
  return { execution, command: { kind: "settle", run, attempt, outcome }, direct: true, next };
}

function undeliverableItem({ execution, run, attempt, message }: UndeliverableItem): InputItem {
  const messageId = message === undefined ? {} : { message };
  return { execution, command: { kind: "undeliverable", run, attempt, ...messageId }, direct: false };
}

function confirmItem({ execution, ...confirmed }: ConfirmItem): InputItem {
  return { execution, command: { kind: "confirmed", ...confirmed }, direct: true };
}

function tickItem(execution: string): InputItem {
  return { execution, command: { kind: "tick" }, direct: true };
}

function replyOf({ next: _next, ...applied }: AppliedInput, storage: CellStorage): Reply {
  return { ...applied, ...acceptsOf(applied.state, storage) };
}

/**
 * Adds to the answer that the cell stores the definition. The next start then does not have to contain the definition.
 */
function withStoredDefinition(reply: Result<Reply>, item: StartItem | undefined, storage: CellStorage): Result<Reply> {
  if (!reply.ok || !item || item.command.standalone) return reply;
  const keepsDefinition = storage.hasDefinition(definitionKey(item.command.definition));
  return keepsDefinition ? accept({ ...reply.value, keepsDefinition }) : reply;
}

/**
 * Returns the ticket of a claimed run. A claim may end its run, because its deadline has passed or its template cannot
 * be rendered. Such a claim is refused.
 */
function ticketFor(claimed: Result<AppliedInput>, item: ClaimItem | undefined): Result<Ticket> {
  if (!claimed.ok || !item) return claimed as Result<Ticket>; // a refusal has the same type in every Result
  const { state } = claimed.value;
  // The claimant of a redelivered message may already have continued with a later run. It then gets the ticket of that
  // run.
  const inProgress = carriedRunOf(state, item.by);
  const ticket = ticketOf(state, inProgress?.id ?? item.run, inProgress?.attempt ?? item.attempt);
  const message = `Run ${item.run} was abandoned: its outcome is no longer needed.`;
  return ticket ? accept(ticket) : refuse({ code: "run_not_claimable", message });
}

function stateOf(cell: CellEngine, execution: string): Result<ExecutionState> {
  const state = cell.read(execution);
  return state ? accept(state) : refuseAbsent(cell.heads, execution);
}
