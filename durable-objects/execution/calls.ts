// The calls of a cell: from items to inputs and from what was taken back to answers, and what an alarm that goes off
// does. The object, the simulator and the tests of the API all answer with these; it knows the platform as ports.
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/objects.ts";
import type {
  Cell,
  ClaimItem,
  ControlItem,
  Reply,
  SettleItem,
  Settled,
  StartItem,
  ConfirmedItem,
} from "#schema/engine/cell.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { CellEngine } from "./cell.ts";
import { readJournal } from "./journal.ts";
import type { Ports } from "./ports.ts";
import { preview } from "./preview.ts";
import type { Item, Taken } from "./take.ts";
import { ticketOf } from "./ticket.ts";

/** What the calls need beside the cell: the alarm as the platform has it, and a way to give the storage back. */
export type CallPorts = Pick<Ports, "storage" | "now" | "log"> & {
  readonly getAlarm: () => Promise<number | null>;
  /** Outside of any commit, so it is waited for. */
  readonly rearm: (at: number) => Promise<void>;
  /** Everything goes, the alarm too. */
  readonly reset: () => Promise<void>;
};

/** `alarm` never throws: after six failures the platform forgets that there was one. */
export type Calls = Cell & { readonly alarm: () => Promise<void> };

export function openCalls(cell: CellEngine, ports: CallPorts): Calls {
  const replies = async (items: readonly Item[]): Promise<readonly Result<Reply>[]> => {
    const taken = await cell.take(items);
    return taken.map((answer) => (answer.ok ? accept(replyOf(answer.value)) : answer));
  };

  /** Does what is due. A cell that is left without executions gives its storage back, and the alarm goes with it. */
  const wake = async (): Promise<void> => {
    await cell.wake();
    if (!cell.isEmpty()) return;
    cell.alarm.noteArmed(null);
    await ports.reset();
  };

  return {
    start: (items) => replies(items.map(startItem)),
    control: async (items) => {
      const taken = await replies(items.filter(({ dryRun }) => !dryRun).map(controlItem));
      const answers = taken.values();
      return items.map((item) =>
        item.dryRun
          ? preview(cell, ports.storage, item, ports.now())
          : (answers.next().value ?? refuse({ code: "unavailable", message: "no answer" })),
      );
    },
    claimMany: async (items) => {
      const taken = await cell.take(items.map(claimItem));
      return taken.map((answer, index) => ticketFor(answer, items[index]));
    },
    settleMany: async (items) => {
      const taken = await cell.take(items.map(settleItem));
      return taken.map((answer): Result<Settled> => (answer.ok ? accept({ next: answer.value.next ?? null }) : answer));
    },
    undeliverable: async (items) => void (await cell.take(items.map(undeliverableItem))),
    confirmMany: async (items) => void (await cell.take(items.map(confirmedItem))),
    poke: async (executions) => {
      cell.alarm.noteArmed(await ports.getAlarm());
      const taken = await cell.take(executions.map(tickItem));
      await wake();
      // Whoever pokes may do so because the catalog is behind: projecting again changes nothing if it is not.
      await cell.projectAgain(executions);
      return taken.map((answer) => (answer.ok ? accept(answer.value.state) : answer));
    },
    reproject: (executions) => cell.projectAgain(executions),
    read: async (execution) => stateOf(cell, execution),
    journal: async (query) => readJournal(cell.heads, ports.storage, query),
    alarm: async () => {
      try {
        cell.alarm.noteArmed(null);
        await wake();
      } catch (fault) {
        ports.log({ level: "error", event: "alarm_failed", message: String(fault) });
        const at = ports.now() + ALARM_RETRY_AFTER_MS;
        await ports.rearm(at);
        cell.alarm.noteArmed(at);
      }
    },
  };
}

function startItem({ command, definition }: StartItem): Item {
  return { execution: command.execution, command, definition, direct: true };
}

function controlItem({ execution, command }: ControlItem): Item {
  return { execution, command, direct: true };
}

function claimItem({ execution, run, attempt }: ClaimItem): Item {
  return { execution, command: { kind: "claim", run, attempt, lane: "queue" }, direct: true };
}

function settleItem({ execution, run, attempt, outcome, takesNext = false }: SettleItem): Item {
  return { execution, command: { kind: "settle", run, attempt, outcome }, direct: true, takesNext };
}

function undeliverableItem({ execution, run, attempt }: ClaimItem): Item {
  return { execution, command: { kind: "undeliverable", run, attempt }, direct: false };
}

function confirmedItem({ execution, refused }: ConfirmedItem): Item {
  return { execution, command: { kind: "confirmed", refused }, direct: false };
}

function tickItem(execution: string): Item {
  return { execution, command: { kind: "tick" }, direct: true };
}

function replyOf({ state, moves, repeated }: Taken): Reply {
  return { state, seq: state.seq, moves, repeated };
}

/** A claim may be accepted and its run have ended over it: too late, or not to be rendered. */
function ticketFor(answer: Result<Taken>, item: ClaimItem | undefined): Result<Ticket> {
  if (!answer.ok || !item) return answer as Result<Ticket>; // a refusal fits any Result
  const ticket = ticketOf(answer.value.state, item.run, item.attempt);
  const message = `run ${item.run} is no longer wanted`;
  return ticket ? accept(ticket) : refuse({ code: "run_not_claimable", message });
}

function stateOf(cell: CellEngine, execution: string): Result<ExecutionState> {
  const state = cell.read(execution);
  return state ? accept(state) : refuse({ code: "not_found", message: `there is no execution ${execution}` });
}
