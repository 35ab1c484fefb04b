// Cells in memory: real cells and their calls over the simulator's disk. No alarm goes off by itself, nothing reaches a
// queue and no action is carried out: a test says what clock and consumers do. Counts calls.
import { openCalls } from "#objects/execution/calls.ts";
import { openCell, type CellEngine } from "#objects/execution/cell.ts";
import type { Ports } from "#objects/execution/ports.ts";
import { preview } from "#objects/execution/preview.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";
import { openDisk, type Disk } from "#test/sim/disk.ts";

export type CellCall = { readonly cell: string; readonly method: keyof Cell; readonly items: number };

type Opened = { readonly disk: Disk; readonly ports: Ports; readonly engine: CellEngine; readonly calls: Cell };

export class MemoryCells {
  readonly calls: CellCall[] = [];
  /** Set to make the next calls fail, the way the platform does. */
  failures: Error[] = [];
  readonly #opened = new Map<string, Opened>();
  /** By execution, the first one first. */
  readonly #homes = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  cell(name: string): Cell {
    const { calls } = this.#open(name);
    const counted =
      <Asked, Answer>(method: keyof Cell, work: (asked: Asked) => Promise<Answer>) =>
      async (asked: Asked): Promise<Answer> => {
        this.calls.push({ cell: name, method, items: Array.isArray(asked) ? asked.length : 1 });
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        return work(asked);
      };
    return {
      start: counted("start", calls.start),
      control: counted("control", calls.control),
      claimMany: counted("claimMany", calls.claimMany),
      settleMany: counted("settleMany", calls.settleMany),
      undeliverable: counted("undeliverable", calls.undeliverable),
      confirm: counted("confirm", calls.confirm),
      wakeRuns: counted("wakeRuns", calls.wakeRuns),
      place: counted("place", calls.place),
      poke: counted("poke", calls.poke),
      reproject: counted("reproject", calls.reproject),
      read: counted("read", calls.read),
      journal: counted("journal", calls.journal),
      explain: counted("explain", calls.explain),
    };
  }

  has(cell: string, execution: string): boolean {
    return this.#open(cell).engine.read(execution) !== null;
  }

  /** Of all executions, the first one first. */
  states(): readonly ExecutionState[] {
    return [...this.#homes].flatMap(([execution, cell]) => this.#open(cell).engine.read(execution) ?? []);
  }

  /** What queue or clock would do to an execution. */
  take(cell: string, execution: string, command: Command): ExecutionState {
    const { engine, ports } = this.#open(cell);
    const would = preview(engine, ports.storage, { execution, command, direct: false });
    if (!would.ok) throw new Error(would.refusal.message);
    // With nothing in flight an input is stepped and committed before this returns.
    let fault: unknown = null;
    engine.applyInputs([{ execution, command, direct: false }]).catch((cause: unknown) => (fault = cause));
    const state = engine.read(execution) ?? would.value.state;
    if (state.seq !== would.value.state.seq) throw new Error("the input was not committed", { cause: fault });
    return state;
  }

  /** Its retention is over, and its object has forgotten it. */
  remove(cell: string, execution: string): void {
    const { disk } = this.#open(cell);
    disk.storage.remove(execution);
    this.#homes.delete(execution);
    this.#opened.set(cell, this.#awake(cell, disk));
  }

  #open(cell: string): Opened {
    const known = this.#opened.get(cell);
    if (known) return known;
    const committed = (executions: readonly string[]): void => {
      for (const execution of executions) this.#homes.set(execution, cell);
    };
    const disk = openDisk({ beforeCommit: () => {}, committed, alarmChanged: () => {} });
    const opened = this.#awake(cell, disk);
    this.#opened.set(cell, opened);
    return opened;
  }

  #awake(name: string, disk: Disk): Opened {
    const ports = portsOf(name, disk, this.#now);
    const engine = openCell(ports);
    // An attempt that travels by queue waits there for whoever the test sends.
    const queued: CellEngine = {
      ...engine,
      applyInputs: (items) => engine.applyInputs(items.map((item) => ({ ...item, direct: false }))),
      openTurn: () => {
        const turn = engine.openTurn();
        const { drafts } = turn;
        const withoutDirectCalls: typeof drafts = {
          apply: (execution, command, _direct, more) => drafts.apply(execution, command, false, more),
          claimNext: (execution, wanted, settled) => drafts.claimNext(execution, wanted, settled),
          stateOf: (execution) => drafts.stateOf(execution),
          hasDraft: (execution) => drafts.hasDraft(execution),
          all: () => drafts.all(),
        };
        return { ...turn, drafts: withoutDirectCalls };
      },
    };
    const calls = openCalls(queued, {
      ...ports,
      getAlarm: async () => disk.alarm(),
      rearm: async (at) => disk.setAlarm(at),
      reset: async () => disk.reset(),
    });
    return { disk, ports, engine, calls };
  }
}

function portsOf(name: string, disk: Disk, now: () => number): Ports {
  return {
    name,
    storage: disk.storage,
    headsInMemory: HEADS_IN_MEMORY,
    now,
    suspendedAt: () => null,
    refreshSuspension: async () => {},
    inspect: () => {},
    setAlarm: disk.setAlarm,
    // Whatever waits for others does not: one call of a test is one turn.
    runAfter: (_ms, work) => work(),
    runWhenDue: () => {},
    sendActions: async () => {},
    sendSlowActions: async () => {},
    sendOutboxes: async () => {},
    sendProjection: async () => {},
    callRunner: () => new Promise(() => {}),
    publish: () => {},
    log: () => {},
  };
}
