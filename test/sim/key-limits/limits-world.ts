// A world of executions whose runs share limits by key: a real cell, the objects of the limits, and consumers that die,
// are late or lose wake-ups. After each call to the provider, the world checks the limit of its key.
import { memoryKeyLimits } from "#test/support/memory/key-limits.ts";
import { begin, openTestCell, actor } from "#test/durable-objects/execution/cell.ts";
import { failure, success, T0 } from "#test/support/drive.ts";
import { LIMIT_WAKE_RECHECK } from "#schema/limits/limits-by-key.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { KeyLimitsPort, KeyUse } from "#schema/key-limits/calls.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { shardOf } from "#services/key-limits/shards.ts";
import { withinLimits } from "#services/key-limits/within-limits.ts";
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { chanceOf, hashed } from "../kit/chance.ts";

export type WorldRun = { readonly id: string; readonly customer: string; readonly startMs: number };
export type LimitsWorld = {
  readonly seed: string;
  readonly definition: Definition;
  readonly runs: readonly WorldRun[];
  readonly limit: string;
  readonly slots: number;
  readonly tookMs: readonly [low: number, high: number];
  /** The time from a queue message to its consumer. */
  readonly queueMs: readonly [low: number, high: number];
  readonly faults?: Faults;
};
/** The share of the attempts, wake-ups or executions that each fault concerns. */
export type Faults = {
  readonly fails: number;
  readonly crashes: number;
  readonly lostReleases: number;
  readonly lostWakes: number;
  readonly cancels: number;
  readonly pauses: number;
};
type Due = { readonly at: number; readonly work: () => void };

const TENANT = "acme";
const EVENTS_MAX = 50_000;
const QUIET_MS = 10 * 60_000;
const calm: Faults = { fails: 0, crashes: 0, lostReleases: 0, lostWakes: 0, cancels: 0, pauses: 0 };

/** Node's setImmediate; the project's types are those of Workers, which have none. */
const soon = (globalThis as unknown as { setImmediate: (work: () => void) => void }).setImmediate;

/** Resolves at once. The digest of the platform resolves at an unknown time, so that worlds would not repeat. */
export async function digestAtOnce(_algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
  const text = new TextDecoder().decode(data as Uint8Array); // the services hash texts only
  return new Uint32Array(Array.from({ length: 8 }, (_, n) => hashed(`${n} ${text}`))).buffer;
}

export async function playLimits(world: LimitsWorld) {
  const { faults = calm, slots } = world;
  const chance = chanceOf(world.seed);
  const queue = openTurnQueue<Due>();
  let [now, events, armedFor] = [T0, 0, 0];
  const wrongs: string[] = [];
  const calls: { readonly execution: string; readonly atMs: number }[] = [];
  const inUse = new Map<string, number>();
  const at = (moment: number, work: () => void): void => queue.put(moment, { at: moment, work });
  const between = ([low, high]: readonly [number, number]): number => chance.between(low, high);
  const run = (work: Promise<unknown>): void => void work.catch((fault: unknown) => wrongs.push(String(fault)));
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => at(now + ms, resolve));

  const cell = openTestCell({
    name: `${TENANT}/pool/1`,
    runAfter: (ms, work) => (ms < LIMIT_WAKE_RECHECK.firstMs ? work() : at(now + ms, work)),
    runWhenDue: (ms, work) => at(now + ms, work),
    sendActions: async (messages) => {
      for (const { execution, run: id, attempt } of messages)
        at(now + between(world.queueMs), () => run(consume({ execution, run: id, attempt })));
    },
  });
  const objects = memoryKeyLimits(() => now);
  const keyLimits = (name: string): KeyLimitsPort => {
    const object = objects(name);
    return {
      acquireLimit: (...ask) => object.acquireLimit(...ask),
      releaseLimit: async (ask) => {
        if (chance.yes(faults.lostReleases)) throw new Error("Network connection lost.");
        return object.releaseLimit(ask);
      },
      passOnLimit: (ask) => object.passOnLimit(ask),
      readLimit: (key) => object.readLimit(key),
      freeLimit: (...ask) => object.freeLimit(...ask),
    };
  };
  const wakeRuns: Cell["wakeRuns"] = async (items) => {
    if (chance.yes(faults.lostWakes)) throw new Error("Network connection lost.");
    return cell.calls().wakeRuns(items);
  };
  const deps = {
    keyLimits,
    cell: () => ({ wakeRuns }) as unknown as Cell, // no other call is made
    now: () => now,
    background: run,
    log: () => {},
  };

  const consume = async (item: { execution: string; run: string; attempt: number }): Promise<void> => {
    const [claimed] = await cell.calls().claimMany([item]);
    if (!claimed?.ok) return;
    const ticket = claimed.value;
    // A consumer that dies releases nothing and settles nothing.
    if (chance.yes(faults.crashes)) return acquireOnly(ticket);
    const outcome = await withinLimits(deps, ticket, () => callProvider(ticket));
    await cell.calls().settleMany([{ ...item, outcome }]);
  };

  /** Asks the limit and dies before the call. */
  const acquireOnly = async (ticket: Ticket): Promise<void> => {
    const [limit] = ticket.limits ?? [];
    const { object, key } = await shardOf(TENANT, world.limit, limit?.key ?? "");
    const ask = { key, id: ticket.idempotencyKey, expiresAt: ticket.deadlineAt, isFirst: true, waited: null };
    if (limit !== undefined) await objects(object).acquireLimit(limit.terms, ask);
  };

  const callProvider = async ({ execution, limits = [] }: Ticket): Promise<Outcome> => {
    const key = limits[0]?.key ?? "";
    calls.push({ execution, atMs: now - T0 });
    inUse.set(key, (inUse.get(key) ?? 0) + 1);
    if ((inUse.get(key) ?? 0) > slots) wrongs.push(`${key} has more than ${slots} calls at ${now - T0} ms`);
    await sleep(between(world.tookMs));
    inUse.set(key, (inUse.get(key) ?? 0) - 1);
    return chance.yes(faults.fails) ? failure() : success();
  };

  const start = async ({ id, customer }: WorldRun): Promise<void> => {
    const item = begin(id, world.definition);
    const command = { ...item.command, variables: { customer } } as typeof item.command; // `begin` makes a start
    await cell.take({ ...item, command });
    if (chance.yes(faults.cancels)) at(now + chance.between(0, 20_000), () => run(control(id, "cancel")));
    if (!chance.yes(faults.pauses)) return;
    const pausedAt = now + chance.between(0, 20_000);
    at(pausedAt, () => run(control(id, "pause")));
    at(pausedAt + chance.between(1, 60_000), () => run(control(id, "resume")));
  };

  const control = async (execution: string, kind: "cancel" | "pause" | "resume"): Promise<void> => {
    const command = { kind, reason: null, inputId: `${kind}-${execution}`, fingerprint: "f", actor } as const;
    await cell.calls().control([{ execution, command, dryRun: false }]);
  };

  const armAlarm = (): void => {
    const armedAt = cell.armedAt();
    if (armedAt === null || armedAt === armedFor) return;
    armedFor = armedAt;
    at(armedAt, () => {
      if (cell.armedAt() !== armedAt) return;
      armedFor = 0;
      cell.loseAlarm();
      run(cell.calls().alarm());
    });
  };

  for (const each of world.runs) at(T0 + each.startMs, () => run(start(each)));
  const last = Math.max(...world.runs.map(({ startMs }) => startMs));
  for (let next = queue.takeFirst(); next !== null; next = queue.takeFirst()) {
    events += 1;
    if (events > EVENTS_MAX || next.at > T0 + last + 60 * QUIET_MS) break;
    now = Math.max(now, next.at);
    cell.at(now - T0);
    next.work();
    await new Promise<void>((resolve) => soon(resolve)); // all promises of the event are settled by then
    armAlarm();
  }

  const states: ExecutionState[] = [];
  for (const { id } of world.runs) {
    const read = await cell.calls().read(id);
    if (!read.ok) continue;
    states.push(read.value);
    if (!isFinalStatus(read.value.status)) wrongs.push(`${id} has not ended: ${read.value.status}`);
  }
  now += QUIET_MS;
  const uses: (KeyUse | null)[] = [];
  for (const customer of new Set(world.runs.map((each) => each.customer))) {
    const { object, key } = await shardOf(TENANT, world.limit, customer);
    uses.push(await objects(object).readLimit(key));
  }
  for (const use of uses) if (use !== null && use.inUse.length + use.waiting > 0) wrongs.push("a place has leaked");
  return { wrongs, calls, states, events };
}
