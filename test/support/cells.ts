// Cells in memory: the kernel behind the calls of an execution object, without storage, queue or alarm. Counts calls.
import { compile } from "#kernel/compile.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Program } from "#kernel/program.ts";
import { step } from "#kernel/step.ts";
import type { Cell, JournalQuery, Reply } from "#schema/cell.ts";
import type { Command } from "#schema/input.ts";
import type { JournalEntry } from "#schema/journal.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/state.ts";

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

  #read(cell: string, execution: string): Result<ExecutionState> {
    const held = this.#held.get(`${cell}|${execution}`);
    return held ? accept(held.state) : refuse({ code: "not_found", message: `there is no execution ${execution}` });
  }

  #journal(cell: string, { execution, after, limit }: JournalQuery) {
    const held = this.#held.get(`${cell}|${execution}`);
    if (!held) return refuse({ code: "not_found", message: `there is no execution ${execution}` });
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
