// The execution object: binds a cell to the platform. The only place that reads the clock, draws chance and arms the
// alarm; what to do with them is the cell's business, and what it means the kernel's.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  Cell,
  ClaimItem,
  ControlItem,
  JournalPage,
  JournalQuery,
  Reply,
  SettleItem,
  Settled,
  StartItem,
  ToldItem,
} from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openCell, type CellEngine, type Item } from "./cell.ts";
import { ticketOf, type Taken } from "./drafts.ts";
import { readJournal } from "./journal.ts";
import { openLive, type Live } from "./live.ts";
import { preview } from "./preview.ts";
import { sqlStorage } from "./storage.ts";

/** When waking went wrong, it is tried again after this. */
const AGAIN_MS = 30_000;

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly Runner: { run(ticket: Ticket): Promise<Outcome> } };

export class ExecutionObject extends DurableObject<Env> implements Cell {
  readonly #storage: ReturnType<typeof sqlStorage>;
  readonly #cell: CellEngine;
  readonly #live: Live;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const log = (line: { readonly [key: string]: unknown }): void =>
      console.log(JSON.stringify({ cell: ctx.id.name, ...line }));
    const loopback = ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
    this.#storage = sqlStorage(ctx.storage);
    this.#live = openLive(ctx);
    this.#cell = openCell({
      storage: this.#storage,
      now: () => Date.now(),
      chance: () => Math.random(),
      setAlarm: (at) => {
        ctx.storage
          .setAlarm(at)
          .catch((fault: unknown) => log({ level: "error", event: "alarm_not_set", message: String(fault) }));
      },
      later: (ms, work) => void setTimeout(work, ms),
      sendActions: async (messages) => void (await env.ACTIONS.sendBatch(messages.map((body) => ({ body })))),
      sendSignals: async (messages) => void (await env.ACTIONS.sendBatch(messages.map((body) => ({ body })))),
      sendProjection: async (message) => void (await env.PROJECTIONS.send(message)),
      fly: (ticket) => loopback.Runner.run(ticket),
      publish: this.#live.publish,
      log,
    });
    // A new object has no alarm; one with executions learns what is armed before anything else happens.
    if (this.#cell.heads.size() > 0) {
      void ctx.blockConcurrencyWhile(async () => this.#cell.alarm.is(await ctx.storage.getAlarm()));
    }
  }

  async start(items: readonly StartItem[]): Promise<readonly Result<Reply>[]> {
    return this.#replies(
      items.map(({ command, definition }) => ({ execution: command.execution, command, definition, direct: true })),
    );
  }

  async control(items: readonly ControlItem[]): Promise<readonly Result<Reply>[]> {
    const wet = items.filter(({ dryRun }) => !dryRun);
    const taken = await this.#replies(wet.map(({ execution, command }) => ({ execution, command, direct: true })));
    const answers = taken.values();
    return items.map((item) =>
      item.dryRun
        ? preview(this.#cell, this.#storage, item, Date.now())
        : (answers.next().value ?? refuse({ code: "unavailable", message: "no answer" })),
    );
  }

  async claimMany(items: readonly ClaimItem[]): Promise<readonly Result<Ticket>[]> {
    const taken = await this.#cell.take(
      items.map(({ execution, run, attempt }) => ({
        execution,
        command: { kind: "claim", run, attempt, lane: "queue" },
        direct: true,
      })),
    );
    return taken.map((answer, index) => {
      const item = items[index];
      if (!answer.ok || !item) return answer as Result<Ticket>; // a refusal fits any Result
      const ticket = ticketOf(answer.value.state, item.run, item.attempt);
      const message = `run ${item.run} is no longer wanted`;
      return ticket ? accept(ticket) : refuse({ code: "run_not_claimable", message });
    });
  }

  async settleMany(items: readonly SettleItem[]): Promise<readonly Result<Settled>[]> {
    const taken = await this.#cell.take(
      items.map(({ execution, run, attempt, outcome, takesNext = false }) => ({
        execution,
        command: { kind: "settle", run, attempt, outcome },
        direct: true,
        takesNext,
      })),
    );
    return taken.map((answer) => (answer.ok ? accept({ next: answer.value.next ?? null }) : answer));
  }

  async undeliverable(items: readonly ClaimItem[]): Promise<void> {
    await this.#cell.take(
      items.map(({ execution, run, attempt }) => ({
        execution,
        command: { kind: "undeliverable", run, attempt },
        direct: false,
      })),
    );
  }

  async told(items: readonly ToldItem[]): Promise<void> {
    await this.#cell.take(
      items.map(({ execution, refused }) => ({ execution, command: { kind: "told", refused }, direct: false })),
    );
  }

  async poke(executions: readonly string[]): Promise<readonly Result<ExecutionState>[]> {
    this.#cell.alarm.is(await this.ctx.storage.getAlarm());
    const taken = await this.#cell.take(
      executions.map((execution) => ({ execution, command: { kind: "tick" }, direct: true })),
    );
    await this.#wake();
    // Whoever pokes may do so because the catalog is behind: it is told again, which changes nothing if it is not.
    await this.#cell.tellAgain(executions);
    return taken.map((answer) => (answer.ok ? accept(answer.value.state) : answer));
  }

  async reproject(executions: readonly string[]): Promise<void> {
    await this.#cell.tellAgain(executions);
  }

  async read(execution: string): Promise<Result<ExecutionState>> {
    const state = this.#cell.read(execution);
    return state ? accept(state) : refuse({ code: "not_found", message: `there is no execution ${execution}` });
  }

  async journal(query: JournalQuery): Promise<Result<JournalPage>> {
    return readJournal(this.#cell.heads, this.#storage, query);
  }

  override async fetch(request: Request): Promise<Response> {
    const execution = new URL(request.url).searchParams.get("execution") ?? "";
    return this.#live.open(execution, this.#cell.read(execution) !== null);
  }

  override webSocketMessage(): void {
    // The stream goes one way; what a listener says changes nothing.
  }

  override async alarm(): Promise<void> {
    // Never throw out of here: after six retries the platform forgets the alarm.
    try {
      this.#cell.alarm.is(null);
      await this.#wake();
    } catch (fault) {
      console.error(
        JSON.stringify({ level: "error", event: "alarm_failed", cell: this.ctx.id.name, message: String(fault) }),
      );
      const again = Date.now() + AGAIN_MS;
      await this.ctx.storage.setAlarm(again);
      this.#cell.alarm.is(again);
    }
  }

  /** Does what is due. A cell that is left without executions gives its storage back, and the alarm goes with it. */
  async #wake(): Promise<void> {
    await this.#cell.wake();
    if (!this.#cell.isEmpty()) return;
    this.#cell.alarm.is(null);
    await this.#storage.reset();
  }

  async #replies(
    items: readonly (Omit<Item, "definition"> & { definition?: string | null })[],
  ): Promise<readonly Result<Reply>[]> {
    const taken = await this.#cell.take(items);
    return taken.map((answer) => (answer.ok ? accept(replyOf(answer.value)) : answer));
  }
}

function replyOf({ state, moves, repeated }: Taken): Reply {
  return { state, seq: state.seq, moves, repeated };
}
