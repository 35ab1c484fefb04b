// Cells in memory: the kernel behind the calls of an execution object, without storage, queue or alarm. Counts calls.
import { compile } from "#kernel/programs/compile.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Program } from "#kernel/programs/program.ts";
import { step } from "#kernel/execution/step.ts";
import type { Cell, JournalQuery, Reply } from "#schema/engine/cell.ts";
import type { Command } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

type Held = { readonly program: Program; readonly state: ExecutionState; readonly journal: readonly JournalEntry[] };
export type CellCall = { readonly cell: string; readonly method: keyof Cell; readonly items: number };

export class MemoryCells {
  readonly calls: CellCall[] = [];
  /** Set to make the next calls fail, the way the platform does. */
  failures: Error[] = [];
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  cell(name: string): Cell {
    const called = (method: keyof Cell, items: number): void => {
      this.calls.push({ cell: name, method, items });
      const failure = this.failures.shift();
      if (failure !== undefined) throw failure;
    };
    return {
      start: async (items) => {
        called("start", items.length);
        return items.map(({ command, definition }) =>
          this.#step(name, command.execution, command, false, () =>
            command.standalone ? oneActionProgram(command.standalone) : compile(JSON.parse(definition ?? "")),
          ),
        );
      },
      control: async (items) => {
        called("control", items.length);
        return items.map(({ execution, command, dryRun }) => this.#step(name, execution, command, dryRun));
      },
      poke: async (executions) => {
        called("poke", executions.length);
        return executions.map((id) => this.#read(name, id));
      },
      read: async (execution) => {
        called("read", 1);
        return this.#read(name, execution);
      },
      journal: async (query) => {
        called("journal", 1);
        return this.#journal(name, query);
      },
      undeliverable: async () => {},
      told: async () => {},
      claimMany: async () => [],
      settleMany: async () => [],
      reproject: async () => {},
    };
  }

  has(cell: string, execution: string): boolean {
    return this.#held.has(`${cell}|${execution}`);
  }

  /** Of all executions, the first one first. */
  states(): readonly ExecutionState[] {
    return [...this.#held.values()].map(({ state }) => state);
  }

  /** What queue or clock would do to an execution. */
  take(cell: string, execution: string, command: Command): ExecutionState {
    const taken = this.#step(cell, execution, command, false);
    if (!taken.ok) throw new Error(taken.refusal.message);
    return taken.value.state;
  }

  /** Its retention is over: the object has deleted itself. */
  remove(cell: string, execution: string): void {
    this.#held.delete(`${cell}|${execution}`);
  }

  #read(cell: string, execution: string): Result<ExecutionState> {
    const held = this.#held.get(`${cell}|${execution}`);
    return held ? accept(held.state) : refuse({ code: "not_found", message: `there is no execution ${execution}` });
  }

  #journal(cell: string, { execution, after, limit, seq }: JournalQuery) {
    const held = this.#held.get(`${cell}|${execution}`);
    if (!held) return refuse({ code: "not_found", message: `there is no execution ${execution}` });
    const ofTurn = held.journal.filter((entry) => entry.seq === seq);
    if (seq !== undefined) return accept({ entries: ofTurn.slice(0, limit), nextCursor: null });
    const from = Number(after ?? 0);
    const entries = held.journal.slice(from, from + limit);
    return accept({ entries, nextCursor: from + limit < held.journal.length ? String(from + limit) : null });
  }

  #step(cell: string, id: string, command: Command, dryRun: boolean, program?: () => Program): Result<Reply> {
    const at = `${cell}|${id}`;
    const held = this.#held.get(at);
    const runs = held?.program ?? program?.();
    if (!runs) return refuse({ code: "not_found", message: `there is no execution ${id}` });
    const stepped = step(runs, held?.state ?? null, { ...command, now: this.#now(), entropy: 0.5, room: 6 });
    if (!stepped.ok) return stepped;
    const { state, moves, repeated, entries } = stepped;
    if (!dryRun) this.#held.set(at, { program: runs, state, journal: [...(held?.journal ?? []), ...entries] });
    return accept({ state, seq: state.seq, repeated, moves, ...(dryRun ? { entries } : {}) });
  }
}
