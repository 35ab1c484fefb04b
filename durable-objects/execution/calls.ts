// The calls of a cell: converts items to inputs and results to answers, and handles the alarm. The object, the
// simulator and the API tests all use it; it sees the platform only as ports.
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
import { carriedBy } from "#kernel/execution/attempts.ts";
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
import { ticketOf } from "./ticket.ts";
import { acceptsOf, definitionKey } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { openWaking, type Waking, type WakingPorts } from "./waking.ts";

/** The calls also need the alarm as the platform stores it, and a way to delete the storage. */
export type CallPorts = WakingPorts & Pick<Ports, "storage"> & { readonly getAlarm: () => Promise<number | null> };

export type Calls = Cell & Pick<Waking, "alarm">;

export function openCalls(cell: CellEngine, ports: CallPorts): Calls {
  const { wakeFor, alarm } = openWaking(cell, ports);
  const replies = async (items: readonly InputItem[]): Promise<readonly Result<Reply>[]> => {
    const taken = await cell.take(items);
    return taken.map((answer) => (answer.ok ? accept(replyOf(answer.value, ports.storage)) : answer));
  };

  const noted = async (items: readonly InputItem[]): Promise<readonly Result<null>[]> => {
    const taken = await cell.take(items);
    return taken.map((answer) => (answer.ok ? accept(null) : answer));
  };

  return {
    start: async (items) => {
      const answers = await replies(items.map(startItem));
      return answers.map((answer, at) => withKept(answer, items[at], ports.storage));
    },
    control: async (items) => {
      const taken = await replies(items.filter(({ dryRun }) => !dryRun).map(controlItem));
      const answers = taken.values();
      return items.map((item) =>
        item.dryRun
          ? answerOf(ports, item.execution, () => preview(cell, ports.storage, controlItem(item)))
          : (answers.next().value ??
            refuse({ code: "unavailable", message: "The runner returned no answer for this run." })),
      );
    },
    claimMany: async (items) => {
      const taken = await cell.take(items.map(claimItem));
      return taken.map((answer, index) => ticketFor(answer, items[index]));
    },
    settleMany: async (items) => {
      const taken = await cell.take(items.map(settleItem));
      return taken.map((answer): Result<SettleAnswer> =>
        answer.ok ? accept({ next: answer.value.next ?? null }) : answer,
      );
    },
    undeliverable: (items) => noted(items.map(undeliverableItem)),
    confirm: (items) => noted(items.map(confirmItem)),
    poke: async (executions) => {
      cell.alarm.noteArmed(await ports.getAlarm());
      const taken = await cell.take(executions.map(tickItem));
      await wakeFor(executions);
      return taken.map((answer) => (answer.ok ? accept(answer.value.state) : answer));
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
  const of = message === undefined ? {} : { message };
  return { execution, command: { kind: "undeliverable", run, attempt, ...of }, direct: false };
}

function confirmItem({ execution, ...confirmed }: ConfirmItem): InputItem {
  return { execution, command: { kind: "confirmed", ...confirmed }, direct: true };
}

function tickItem(execution: string): InputItem {
  return { execution, command: { kind: "tick" }, direct: true };
}

function replyOf({ next: _next, ...told }: AppliedInput, storage: CellStorage): Reply {
  return { ...told, ...acceptsOf(told.state, storage) };
}

function withKept(answer: Result<Reply>, item: StartItem | undefined, storage: CellStorage): Result<Reply> {
  if (!answer.ok || !item || item.command.standalone) return answer;
  const keepsDefinition = storage.hasDefinition(definitionKey(item.command.definition));
  return keepsDefinition ? accept({ ...answer.value, keepsDefinition }) : answer;
}

/** A claim may be accepted and end its run: too late, or the template cannot be rendered. */
function ticketFor(answer: Result<AppliedInput>, item: ClaimItem | undefined): Result<Ticket> {
  if (!answer.ok || !item) return answer as Result<Ticket>; // a refusal fits any Result
  const { state } = answer.value;
  const carried = carriedBy(state, item.by);
  const ticket = ticketOf(state, carried?.id ?? item.run, carried?.attempt ?? item.attempt);
  const message = `Run ${item.run} was abandoned: its outcome is no longer needed.`;
  return ticket ? accept(ticket) : refuse({ code: "run_not_claimable", message });
}

function stateOf(cell: CellEngine, execution: string): Result<ExecutionState> {
  const state = cell.read(execution);
  return state ? accept(state) : refuseAbsent(cell.heads, execution);
}
