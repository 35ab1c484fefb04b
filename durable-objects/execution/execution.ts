// Execution object: binds a cell and its calls to the platform. Only this file reads the clock and sets the alarm; the
// cell decides when the alarm fires.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  Cell,
  ConfirmItem,
  ClaimItem,
  ControlItem,
  JournalPage,
  JournalQuery,
  Acknowledgment,
  Reply,
  SettleItem,
  SettleAnswer,
  StartItem,
  UndeliverableItem,
  WakeAnswer,
  WakeItem,
} from "#schema/engine/cell.ts";
import type { Explanation, ExplainQuery } from "#schema/engine/explanation.ts";
import { assert } from "#kernel/assert.ts";
import { poolCellOf } from "#policy/pools/layout.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";
import { POOL_KEYS_PAGE } from "#schema/limits/pool-cells.ts";
import type {
  KeyQuery,
  PoolCell,
  PoolReport,
  YieldKeysAnswer,
  YieldKeysRequest,
} from "#schema/placement/tenant-pool.ts";
import type { Result } from "#schema/refusal.ts";
import { isLogged, openLog } from "#schema/logging/log-levels.ts";
import type { ListenerKeysPort } from "#schema/live.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { wakeOfArmed, armedInstantFor } from "./alarm.ts";
import { openCalls, type Calls } from "./calls.ts";
import { openCell, type CellEngine } from "./cell.ts";
import { openDirectCallBatches, type RunnerPort } from "./direct-call-batches.ts";
import { openInspector, openTickLog } from "./inspector.ts";
import { answerClose, openLive, type Live } from "./live.ts";
import { releaseStorage } from "./pool/release-storage.ts";
import { openPoolAdmission, type PoolAdmission } from "./pool/pool-admission.ts";
import { openLoadReports } from "./pool/load-reports.ts";
import type { Ports } from "./ports.ts";
import { sqlStorage } from "./storage.ts";
import { openSuspension, type Suspension } from "./tenancy/suspension.ts";

/** The Worker's stateless entrypoints, as the object calls them. */
type Loopback = {
  readonly Runner: RunnerPort;
  readonly ListenerKeys: ListenerKeysPort;
  readonly Tenancy: {
    suspendedAt(tenant: string): Promise<number | null>;
    reportPoolLoad(tenant: string, report: PoolReport): Promise<void>;
  };
};

export class ExecutionObject extends DurableObject<Env> implements Cell, PoolCell {
  readonly #cell: CellEngine;
  readonly #calls: Calls;
  readonly #live: Live;
  readonly #suspension: Suspension;
  /** Null if the object is the cell of a single execution, because such a cell belongs to no pool. */
  readonly #pool: PoolAdmission | null;
  readonly #noteStarts: (items: readonly StartItem[]) => void;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const write = (line: { readonly [key: string]: unknown }): void =>
      // The platform derives the level of a log line from its stream.
      (line.level === "error" ? console.error : console.log)(JSON.stringify({ cell: ctx.id.name, ...line }));
    const log = openLog(env.LOG_LEVELS, "execution", write);
    const loopback = ctx.exports as unknown as Loopback; // the main module has this type, and this room may not import it
    const storage = sqlStorage(ctx.storage);
    const now = (): number => Date.now();
    const [tenant = ""] = (ctx.id.name ?? "").split("/");
    const endedKeys = (keys: readonly string[]) => loopback.ListenerKeys.endedKeys(tenant, keys);
    this.#live = openLive(ctx, { now, endedKeys, log });
    this.#suspension = openSuspension({
      now,
      log,
      tenant,
      query: () => loopback.Tenancy.suspendedAt(tenant),
      resumed: () => this.#cell.alarm.arm(false),
    });
    const inspect = openInspector(log);
    const logTick = openTickLog(isLogged(env.LOG_LEVELS, "reconciler", "debug"), write);
    const callRunner = openDirectCallBatches(loopback.Runner);
    const ports: Ports = {
      name: ctx.id.name ?? "",
      storage,
      headsInMemory: HEADS_IN_MEMORY,
      now,
      suspendedAt: this.#suspension.suspendedAt,
      refreshSuspension: this.#suspension.refresh,
      inspect: (observed) => {
        inspect(observed);
        logTick(observed);
      },
      setAlarm: (at) => {
        ctx.storage
          .setAlarm(armedInstantFor(at, now()))
          .catch((fault: unknown) => log({ level: "error", event: "alarm_not_set", message: String(fault) }));
      },
      runAfter: (ms, work) => void setTimeout(work, ms),
      // This port is separate from `runAfter`, so that the simulator can distinguish the two kinds of timers. The
      // callback checks the suspension first.
      runWhenDue: (ms, work) => void setTimeout(work, ms),
      sendActions: async (messages) => void (await env.ACTIONS.sendBatch(messages.map((body) => ({ body })))),
      sendSlowActions: async (messages) => void (await env.SLOW_ACTIONS.sendBatch(messages.map((body) => ({ body })))),
      sendOutboxes: async (messages) => void (await env.ACTIONS.sendBatch(messages.map((body) => ({ body })))),
      sendProjection: async (message) => void (await env.PROJECTIONS.send(message)),
      callRunner: async (ticket, aborted) => {
        const outcome = await callRunner(ticket, aborted);
        this.#suspension.noteOutcome(outcome);
        return outcome;
      },
      publish: this.#live.publish,
      log,
    };
    this.#cell = openCell(ports);
    this.#calls = openCalls(this.#cell, {
      ...ports,
      getAlarm: async () => wakeOfArmed(await ctx.storage.getAlarm()),
      rearm: (at) => ctx.storage.setAlarm(at),
      reset: () => releaseStorage(this.#pool, { reset: storage.reset, rearm: (at) => ctx.storage.setAlarm(at) }),
    });
    const reportLoad = (report: PoolReport) => loopback.Tenancy.reportPoolLoad(tenant, report);
    this.#noteStarts = openLoadReports({ now, log, report: reportLoad, bytes: () => ctx.storage.sql.databaseSize });
    this.#pool = this.#openPool(ports);
    // An object without executions has no alarm. Any other object must know its alarm before it handles calls.
    if (!this.#cell.heads.isEmpty()) {
      void ctx.blockConcurrencyWhile(async () => this.#cell.alarm.noteArmed(wakeOfArmed(await ctx.storage.getAlarm())));
    }
  }

  #openPool({ name, storage, now, setAlarm, log }: Ports): PoolAdmission | null {
    const cell = poolCellOf(name);
    if (cell === null) return null;
    const [tenant = ""] = name.split("/");
    return openPoolAdmission({
      cell,
      storage,
      now,
      log,
      heads: this.#cell.heads,
      start: this.#calls.start,
      keysPerPage: POOL_KEYS_PAGE,
      stubOf: (other) => this.env.EXECUTIONS.getByName(`${tenant}/pool/${other}`),
      onYield: (until) => {
        if (!this.#cell.heads.isEmpty()) return;
        setAlarm(until);
        this.#cell.alarm.noteArmed(until);
      },
    });
  }

  async start(items: readonly StartItem[]): Promise<readonly Result<Reply>[]> {
    await this.#suspension.refreshIfSuspended();
    if (this.#pool === null) return this.#calls.start(items);
    this.#noteStarts(items);
    return this.#pool.start(items);
  }

  async yieldKeys(ask: YieldKeysRequest): Promise<YieldKeysAnswer> {
    assert(this.#pool !== null, "only a cell of a pool can transfer its keys to another cell");
    return this.#pool.yieldKeys(ask);
  }

  async hasKey(ask: KeyQuery): Promise<boolean> {
    assert(this.#pool !== null, "only a cell of a pool can be queried for keys");
    return this.#pool.hasKey(ask);
  }

  async control(items: readonly ControlItem[]): Promise<readonly Result<Reply>[]> {
    await this.#suspension.refreshIfSuspended();
    return this.#calls.control(items);
  }

  async claimMany(items: readonly ClaimItem[]): Promise<readonly Result<Ticket>[]> {
    return this.#calls.claimMany(items);
  }

  async settleMany(items: readonly SettleItem[]): Promise<readonly Result<SettleAnswer>[]> {
    for (const { outcome } of items) this.#suspension.noteOutcome(outcome);
    return this.#calls.settleMany(items);
  }

  async undeliverable(items: readonly UndeliverableItem[]): Promise<Acknowledgment> {
    return this.#calls.undeliverable(items);
  }

  async confirm(items: readonly ConfirmItem[]): Promise<Acknowledgment> {
    return this.#calls.confirm(items);
  }

  async wakeRuns(items: readonly WakeItem[]): Promise<readonly WakeAnswer[]> {
    return this.#calls.wakeRuns(items);
  }

  async place(items: readonly ConfirmItem[]): Promise<readonly Result<Reply>[]> {
    return this.#calls.place(items);
  }

  async poke(executions: readonly string[]): Promise<readonly Result<ExecutionState>[]> {
    await this.#suspension.refresh();
    return this.#calls.poke(executions);
  }

  async reproject(executions: readonly string[]): Promise<readonly string[]> {
    return this.#calls.reproject(executions);
  }

  async read(execution: string): Promise<Result<ExecutionState>> {
    return this.#calls.read(execution);
  }

  async journal(query: JournalQuery): Promise<Result<JournalPage>> {
    return this.#calls.journal(query);
  }

  async explain(query: ExplainQuery): Promise<Result<Explanation>> {
    return this.#calls.explain(query);
  }

  override async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const execution = query.get("execution") ?? "";
    const until = Number(query.get("until") ?? Infinity);
    const watcher = { key: query.get("key"), until, showsPayloads: query.get("payloads") !== "hidden" };
    return this.#live.open(execution, this.#cell.read(execution)?.status ?? null, watcher);
  }

  override webSocketMessage(): void {
    // Subscribers only receive entries, so their messages are ignored.
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    answerClose(socket, code);
  }

  override async alarm(): Promise<void> {
    await this.#suspension.refresh();
    await this.#calls.alarm();
  }
}
