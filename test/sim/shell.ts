// The calls of an execution object around a cell, as durable-objects/execution/execution.ts answers them, without the
// platform. What is more than a translation belongs to the cell, where the simulator sees it.
import { openCell } from "#objects/execution/cell.ts";
import { ticketOf, type Taken } from "#objects/execution/drafts.ts";
import type { Ports } from "#objects/execution/ports.ts";
import type { ClaimItem, ControlItem, SettleItem, Settled, StartItem } from "#schema/engine/cell.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";

export type Shell = {
  readonly start: (items: readonly StartItem[]) => Promise<readonly Result<Taken>[]>;
  readonly control: (items: readonly Omit<ControlItem, "dryRun">[]) => Promise<readonly Result<Taken>[]>;
  readonly claimMany: (items: readonly ClaimItem[]) => Promise<readonly Result<Ticket>[]>;
  readonly settleMany: (items: readonly SettleItem[]) => Promise<readonly Result<Settled>[]>;
  readonly undeliverable: (items: readonly ClaimItem[]) => Promise<void>;
  readonly poke: (executions: readonly string[]) => Promise<void>;
  readonly reproject: (executions: readonly string[]) => Promise<void>;
  readonly alarm: () => Promise<void>;
  /** An alarm that failed comes back later. */
  readonly backOff: (at: number) => void;
};

export function openShell(ports: Ports, getAlarm: () => number | null, reset: () => void): Shell {
  const cell = openCell(ports);
  if (cell.heads.size() > 0) cell.alarm.is(getAlarm());
  const wake = async (): Promise<void> => {
    await cell.wake();
    if (!cell.isEmpty()) return;
    cell.alarm.is(null);
    reset();
  };
  return {
    start: async (items) =>
      cell.take(
        items.map(({ command, definition }) => ({ execution: command.execution, command, definition, direct: true })),
      ),
    control: async (items) => cell.take(items.map(({ execution, command }) => ({ execution, command, direct: true }))),
    claimMany: async (items) => {
      const taken = await cell.take(
        items.map(({ execution, run, attempt }) => ({
          execution,
          command: { kind: "claim" as const, run, attempt, lane: "queue" as const },
          direct: true,
        })),
      );
      return taken.map((answer, index) => {
        const item = items[index];
        if (!answer.ok || !item) return answer as Result<Ticket>; // a refusal fits any Result
        const ticket = ticketOf(answer.value.state, item.run, item.attempt);
        return ticket
          ? accept(ticket)
          : refuse({ code: "run_not_claimable", message: `run ${item.run} is not wanted` });
      });
    },
    settleMany: async (items) => {
      const taken = await cell.take(
        items.map(({ execution, run, attempt, outcome, takesNext = false }) => ({
          execution,
          command: { kind: "settle" as const, run, attempt, outcome },
          direct: true,
          takesNext,
        })),
      );
      return taken.map((answer) => (answer.ok ? accept({ next: answer.value.next ?? null }) : answer));
    },
    undeliverable: async (items) => {
      await cell.take(
        items.map(({ execution, run, attempt }) => ({
          execution,
          command: { kind: "undeliverable" as const, run, attempt },
          direct: false,
        })),
      );
    },
    poke: async (executions) => {
      cell.alarm.is(getAlarm());
      await cell.take(executions.map((execution) => ({ execution, command: { kind: "tick" as const }, direct: true })));
      await wake();
      await cell.tellAgain(executions);
    },
    reproject: (executions) => cell.tellAgain(executions),
    alarm: async () => {
      cell.alarm.is(null);
      await wake();
    },
    backOff: (at) => {
      cell.alarm.is(at);
      ports.setAlarm(at);
    },
  };
}
