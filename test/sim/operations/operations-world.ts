// A seeded world of one operation over some executions. Calls are lost before or after their effect, the controller
// goes down, commits fail, executions move or end meanwhile, some always fail, and a client aborts the operation.
// Controller, cells and services are real; lists are late.
import { openStore } from "#objects/host/store.ts";
import { OperationController } from "#objects/operation/controller.ts";
import { operationStorage } from "#objects/operation/storage.ts";
import type { Cell, ControlItem, Reply, StartItem } from "#schema/engine/cell.ts";
import type { MatchedExecution, MatchedPage, Health, StopCondition } from "#schema/engine/execution-command.ts";
import type { OperationRequest, OperationWorkPort } from "#schema/operation.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { commandExecutions } from "#services/operations/command-executions.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { Evicted, never, openEvictable, type Life } from "../kit/evictable.ts";
import { openRough } from "../kit/faulty-network.ts";
import { sqliteStorage } from "../kit/sqlite-storage.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { ask, hour, second, T0 } from "#test/support/drive.ts";

export const EVENT = "go";
/** A machine that shows a command that was applied twice. */
const definition = JSON.stringify({
  kind: "machine",
  name: "lease",
  initial: "open",
  states: {
    open: { on: { [EVENT]: "told", elsewhere: "away", left: "gone" } },
    told: { on: { [EVENT]: "twice", left: "gone" } },
    twice: {},
    away: { on: { [EVENT]: "told" } },
    gone: { type: "final" },
  },
});

export type Spoil = {
  /** The item that a cell receives, as a deliberate mistake changes it. */
  readonly asked?: (item: ControlItem, chance: Chance) => ControlItem;
  readonly found?: (page: MatchedPage) => MatchedPage;
};

export type Row = {
  readonly id: string;
  readonly cell: string;
  readonly createdAt: number;
  readonly isPoisoned: boolean;
};
type Asked = { readonly at: number; readonly items: number };

export class OperationsWorld {
  now = T0;
  isCalm = false;
  readonly rows: Row[] = [];
  readonly asked: Asked[] = [];
  /** The executions that another client moved meanwhile. */
  readonly moved = new Set<string>();
  readonly trace: string[] = [];
  readonly terms: OperationRequest;
  readonly cells = new MemoryCells(() => this.now);
  closed = 0;
  readonly #chance: Chance;
  readonly #spoil: Spoil;
  readonly #sqlite = sqliteStorage();
  readonly #rough;
  readonly #object = openEvictable((life) => this.#begin(life));
  #alarmAt: number | null = null;

  constructor(seed: number, spoil: Spoil = {}) {
    this.#chance = chanceOf(`operations/${seed}`);
    this.#rough = openRough(this.#chance, () => this.isCalm);
    this.#spoil = spoil;
    const stopAt: StopCondition | null = this.#chance.yes(0.3) ? { failedShare: 0.1, after: 3 } : null;
    this.terms = {
      id: "op_1",
      tenant: "acme",
      verb: "steer",
      filter: { definition: "lease", state: "open" },
      perSecond: 4,
      reason: null,
      actor: { kind: "key", id: "key_1" },
      createdAt: T0,
      matched: 0,
      fingerprint: "f",
      steer: { verb: "event", type: EVENT, payload: null, source: null },
      ...(stopAt === null ? {} : { stopAt }),
    };
  }

  /** Creates executions, some in their own cells and some together in one. */
  async populate(): Promise<void> {
    const count = this.#chance.between(8, 24);
    for (let n = 0; n < count; n++) {
      const isPooled = this.#chance.yes(0.5);
      const id = `exe_${n}${isPooled ? `_p${this.#chance.between(0, 1)}` : ""}`;
      const cell = isPooled ? `acme/pool/${id.at(-1)}` : `acme/${id}`;
      const command = { ...ask.start(), execution: id, inputId: id, tenant: "acme" } as StartItem["command"]; // ask.start makes a start command
      this.now = T0 - 1_000 + n;
      await this.cells.cell(cell).start([{ command, definition }]);
      this.rows.push({ id, cell, createdAt: this.now, isPoisoned: this.#chance.yes(0.15) });
    }
    this.now = T0;
  }

  get controller(): OperationController {
    return this.#object.awake();
  }

  /** A period of the operation: it wakes, an execution moves, or the object goes down. */
  async turn(): Promise<void> {
    if (this.#rough.strikes(0.1)) this.#move();
    if (this.#rough.strikes(0.02)) await this.#abort();
    if (this.#rough.strikes(0.05)) this.#goDown("between two wakes");
    const at = this.#alarmAt;
    // The deletion a week after its end is tested elsewhere.
    if (at === null || at > this.now + hour) return;
    this.now = Math.max(this.now, at) + (this.#rough.strikes(0.2) ? this.#chance.between(0, 5 * second) : 0);
    this.#alarmAt = null;
    this.#sqlite.beforeCommit = () => {
      if (this.#rough.strikes(0.03)) throw new Error("the disk is full");
    };
    // An evicted call never returns: the next instance wakes by the armed alarm.
    await this.#object
      .call((controller) => controller.wake())
      .catch((fault: unknown) => {
        if (!(fault instanceof Evicted)) throw fault;
      });
    this.#sqlite.beforeCommit = () => {};
  }

  #begin(life: Life): OperationController {
    const rows = operationStorage(openStore(this.#sqlite.storage));
    return new OperationController({
      platform: {
        now: () => this.now,
        setAlarm: (at) => {
          if (life.alive) this.#alarmAt = at;
        },
        log: () => {},
        within: (call) => call,
      },
      storage: {
        ...rows,
        atomically: (work) => {
          if (!life.alive) throw new Error("this object is gone");
          return rows.atomically(work);
        },
      },
      work: () => this.#work(life),
    });
  }

  #work(life: Life): OperationWorkPort {
    const rough = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const between = (): void => {
        if (this.#rough.strikes(0.06)) this.#goDown(`after ${what}`);
      };
      const answer = await this.#rough.call(work, { lost: 0.06, answerLost: 0.06, between });
      return life.alive ? answer : never;
    };
    const none = (): never => {
      throw new Error("this operation is over executions");
    };
    return {
      list: none,
      act: none,
      enroll: none,
      find: (_terms, cursor) => rough("find", async () => this.#find(cursor)),
      control: (terms, lines) => rough("steer", () => this.#steer(terms, lines)),
      checkHealth: async (): Promise<Health> => ({ looked: 0, failed: 0 }),
      close: () => rough("close", async () => void (this.closed += 1)),
    };
  }

  /** Finds three executions per page, as they are at that moment; they may move between two pages. */
  #find(cursor: string | null): MatchedPage {
    if (this.#rough.strikes(0.3)) this.#move();
    const open = this.rows.filter(({ id, cell }) => this.#stateOf(id, cell) === "open");
    const after = open.filter(({ createdAt }) => cursor === null || createdAt > Number(cursor));
    const found = after.slice(0, 3).map(({ id, createdAt }): MatchedExecution => [id, createdAt]);
    const page = { found, cursor: found.length === 3 ? String(found.at(-1)?.[1]) : null };
    return this.#spoil.found?.(page) ?? page;
  }

  #steer(terms: OperationRequest, lines: readonly NumberedLine[]): ReturnType<typeof commandExecutions> {
    this.asked.push({ at: this.now, items: lines.length });
    const cell = (name: string): Cell => this.#roughCell(this.cells.cell(name));
    const deps = { cell, log: () => {}, now: () => this.now };
    return commandExecutions(deps as unknown as Parameters<typeof commandExecutions>[0], terms, lines); // only the dependencies that are used
  }

  #roughCell(cell: Cell): Cell {
    const poisoned = new Set(this.rows.filter(({ isPoisoned }) => isPoisoned).map(({ id }) => id));
    const control: Cell["control"] = async (items) => {
      const fine = items.filter(({ execution }) => !poisoned.has(execution));
      const asked = fine.map((item) => this.#spoil.asked?.(item, this.#chance) ?? item);
      const heard = await this.#rough.call(() => cell.control(asked), { lost: 0.05, answerLost: 0.05 });
      const answers = heard.values();
      return items.map(({ execution }): Result<Reply> => {
        const broken = refuse({ code: "internal_error", message: "it always breaks" });
        return poisoned.has(execution) ? broken : (answers.next().value ?? broken);
      });
    };
    return { ...cell, control };
  }

  #move(): void {
    const [first, ...others] = this.rows;
    if (first === undefined) return;
    const { id, cell } = this.#chance.pick([first, ...others]);
    if (this.#stateOf(id, cell) !== "open") return;
    this.moved.add(id);
    this.cells.take(cell, id, ask.event(this.#chance.yes(0.5) ? "elsewhere" : "left"));
  }

  async #abort(): Promise<void> {
    if ((await this.controller.read()) === null) return;
    await this.controller.abort({ actor: { kind: "key", id: "key_2" }, reason: null, dryRun: false });
    this.trace.push(`${this.now - T0} aborted`);
  }

  #goDown(when: string): void {
    this.trace.push(`${this.now - T0} goes down ${when}`);
    this.#object.evict(when);
  }

  #stateOf(id: string, cell: string): string {
    const states = this.cells.states().find((each) => each.id === id)?.position.states ?? [];
    return states[0] ?? cell;
  }
}
