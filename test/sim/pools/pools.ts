// Clients that start actions under few keys, repeatedly, while their tenant's pool is resized. Checks: no key is in two
// cells at once, no window of a dedup key has two actions, and every client gets a response.
import { cellOfKey, newPool } from "#policy/pools/layout.ts";
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { keyOf, pooledId } from "#schema/ids.ts";
import { poolMove, type Pool } from "#schema/placement/tenant-pool.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { startFollowingMoves } from "#services/executions/start-executions.ts";
import type { Chance } from "../kit/chance.ts";
import { startCommand } from "../clients.ts";
import { act, BEGIN, MINUTE, rest, SECOND, type Scenario } from "../scenario.ts";
import type { Life } from "../kit/evictable.ts";
import {
  cellOf,
  openHosts,
  openRow,
  roughOf,
  TENANT,
  type PoolHost,
  type RoughPool,
  type Tampering,
} from "./pool-world.ts";

const CLIENTS = 90;
const KEYS = 24;
/** Requests come in bursts, and the pool is resized during one, so that the old cell is busy then. */
const CROWDS = 6;
const CROWD_MS = 40;
const ISOLATES = 3;
const WINDOW_MS = 10 * MINUTE;
const RETENTION_MS = 15 * MINUTE;
const HORIZON_MS = 6 * 60 * MINUTE;
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

type Key = { readonly letters: string; readonly isDedup: boolean };
export type PoolReport = {
  readonly findings: readonly string[];
  readonly trace: readonly string[];
  readonly hash: number;
};

const machine: Scenario = {
  ...rest,
  definition: {
    kind: "machine",
    name: "once",
    placement: "pooled",
    retention: RETENTION_MS,
    initial: "a",
    states: { a: { on: { "action.one.ok": "end", "action.one.failed": "end" } }, end: { type: "final" } },
    actions: [act("one", "a", { lane: "direct" })],
  },
};

export async function simulatePool(seed: number, tampering: Tampering = {}): Promise<PoolReport> {
  const rough = roughOf(seed);
  const { chance, timeline } = rough;
  const findings: string[] = [];
  const row = openRow(chance.fork("row"), newPool);
  const seen = new Map<string, { readonly at: number; readonly isDedup: boolean; readonly host: PoolHost }>();
  const { hosts, hostOf } = openHosts(rough, tampering, (host, ids) => {
    for (const id of ids) {
      const key = keyOf(id);
      if (key === null || seen.has(id) || !host.disk.executions().includes(id)) continue;
      const isDedup = id.startsWith("exe_d");
      const others = [...seen].filter(([other]) => keyOf(other) === key && other.startsWith(id.slice(0, 5)));
      for (const [other, { at, host: there }] of others) {
        const isThere = there.disk.executions().includes(other);
        if (isDedup ? timeline.now() < at + WINDOW_MS : isThere) findings.push(`${id} began beside ${other}`);
        if (!isThere) seen.delete(other);
      }
      seen.set(id, { at: timeline.now(), isDedup, host });
    }
  });
  const putAway = (share: number): void => {
    for (const host of hosts.values()) if (rough.strikes(share)) host.kill();
  };
  const keys = Array.from({ length: KEYS }, () => keyFrom(chance));
  let unanswered = CLIENTS;
  const isolates = Array.from({ length: ISOLATES }, () => openIsolate(rough, row.read, hostOf));
  const crowds = [0, ...Array.from({ length: CROWDS }, () => chance.between(1, 60 * MINUTE))] as const;
  for (const at of crowds) {
    timeline.at(BEGIN + at + chance.between(0, CROWD_MS), row.resize);
    timeline.at(BEGIN + at + chance.between(0, 2 * CROWD_MS), () => putAway(0.3));
  }
  for (let n = 0; n < CLIENTS; n++) {
    const key = keys[chance.between(0, KEYS - 1)] ?? keys[0];
    const atMs = chance.pick(crowds) + chance.between(0, CROWD_MS);
    if (key === undefined) continue;
    timeline.at(BEGIN + atMs, () => {
      const client = letAsk(rough, key, n, () => isolates[chance.between(0, ISOLATES - 1)] ?? isolates[0]);
      void client.then(() => (unanswered -= 1));
    });
  }
  for (let at = 0; at < 70; at++) {
    timeline.at(BEGIN + at * MINUTE + chance.between(0, MINUTE), () => {
      if (rough.strikes(0.5)) row.resize();
      putAway(0.1);
    });
  }
  await timeline.run(BEGIN + HORIZON_MS, () => {});
  if (unanswered > 0) findings.push(`${unanswered} were never answered`);
  const { lines, hash } = timeline.trace();
  return { findings, trace: lines, hash };
}

function keyFrom(chance: Chance): Key {
  const letters = Array.from({ length: 26 }, () => LETTERS.charAt(chance.between(0, 31))).join("");
  return { letters, isDedup: chance.yes(0.4) };
}

type Isolate = (key: Key, inputId: string) => Promise<Result<Reply>>;

/** An isolate with an old view of the pool. It learns of a change when it reads the row, or when a cell says so. */
function openIsolate({ timeline, chance }: RoughPool, read: () => Pool, hostOf: (cell: number) => PoolHost): Isolate {
  const life: Life = { alive: true };
  let known = read();
  return async (key, inputId) => {
    if (chance.yes(0.2)) known = read();
    const plan = accept(itemOf(key, inputId, known, timeline.now()));
    const start = async (items: readonly StartItem[]): Promise<readonly Result<Reply>[]> => {
      const [item] = items;
      if (item === undefined) throw new Error("a call starts one execution");
      const host = hostOf(cellOf(item.command.execution));
      const answers = await host.call(life, (door) => door.start(items));
      for (const reply of answers) {
        const move = reply.ok ? null : poolMove.safeParse(reply.refusal.details);
        if (move?.success && move.data.why === "pool_moved" && chance.yes(0.8)) known = move.data.pool;
      }
      // The services cache which definitions a cell stores. That cache would outlive this world, so it stays empty.
      return answers.map((reply) => (reply.ok ? accept({ ...reply.value, keepsDefinition: false }) : reply));
    };
    const deps = {
      now: timeline.now,
      log: () => {},
      cell: () => ({ start }) as never, // the only method that is called
      subject: () => null as never, // no start has a subject
      keyLimits: () => null as never, // no start has a limit
    };
    const [answer] = await startFollowingMoves(deps, TENANT, [plan], false);
    if (answer === undefined) throw new Error("a start has an answer");
    return answer;
  };
}

/** Repeats a request until it gets a response, through any isolate, and sometimes twice at once. */
async function letAsk(rough: RoughPool, key: Key, n: number, isolate: () => Isolate | undefined): Promise<void> {
  const { timeline, chance, strikes } = rough;
  const life: Life = { alive: true };
  const ask = async (): Promise<boolean> => {
    const answer = await isolate()?.(key, key.isDedup ? `call-${n}` : `key-${key.letters}`);
    timeline.note(`client ${n} ${key.letters.slice(0, 4)}: ${told(answer)}`);
    return answer?.ok === true;
  };
  for (;;) {
    if (strikes(0.4)) void ask().catch(() => {});
    if (await ask().catch(() => false)) return;
    await timeline.sleep(chance.between(200, 5 * SECOND), life);
  }
}

function told(answer: Result<Reply> | undefined): string {
  if (!answer?.ok) return answer?.refusal.message ?? "nothing";
  return `${answer.value.state.id}${answer.value.repeated ? " again" : ""}`;
}

function itemOf({ letters, isDedup }: Key, inputId: string, pool: Pool, now: number): StartItem {
  const bare = isDedup ? `exe_d${letters}${String(now).slice(-10).padStart(10, "0")}` : `exe_k${letters}`;
  const execution = pooledId(bare, cellOfKey(pool.size, letters));
  const standalone = { action: act("call", "act"), dedup: { key: letters, windowMs: WINDOW_MS } };
  const scenario = isDedup ? { ...machine, standalone } : machine;
  const command = { ...startCommand(scenario, execution), inputId };
  return { command, pool, definition: isDedup ? null : JSON.stringify(machine.definition) };
}
