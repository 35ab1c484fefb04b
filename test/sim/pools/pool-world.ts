// One tenant's pool from a seed: cells that are put away and wake up, clients that repeat keys through isolates with old
// views, a pool that is resized in between, requests and answers that are lost, doubled and late. Cells, their doors and the
// way that a start goes on when its key has moved are the real ones.
import { openCalls } from "#objects/execution/calls.ts";
import { openCell } from "#objects/execution/cell.ts";
import { letGo } from "#objects/execution/pool/letting-go.ts";
import { openPool, type PoolDoor } from "#objects/execution/pool/pool.ts";
import type { CellStorage } from "#objects/execution/storage.ts";
import { LAYERS, poolCellOf } from "#policy/pools/layout.ts";
import { poolCell } from "#schema/ids.ts";
import type { Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { fenced, openDisk, type Disk } from "../disk.ts";
import { BEGIN, MINUTE, SECOND } from "../scenario.ts";
import { openTimeline, type Life, type Timeline } from "../kit/timeline.ts";

export const TENANT = "acme";

/** Mutations of the protocol, for proving that the oracle sees them. */
export type Tampering = {
  readonly asked?: (cell: PoolCell) => PoolCell;
  readonly storage?: (storage: CellStorage) => CellStorage;
};

export type Rough = {
  readonly chance: Chance;
  readonly timeline: Timeline;
  /** Until then things go wrong. */
  readonly calmAt: number;
  readonly strikes: (probability: number) => boolean;
};

type Instance = Life & { readonly door: PoolDoor; readonly gone: Promise<never>; readonly end: () => void };
export type PoolHost = {
  readonly disk: Disk;
  readonly kill: () => void;
  readonly call: <T>(caller: Life, work: (door: PoolDoor) => Promise<T>) => Promise<T>;
};

export function roughOf(seed: number): Rough {
  const chance = chanceOf(`pools/${seed}`);
  const timeline = openTimeline(BEGIN, 80);
  const calmAt = BEGIN + chance.between(5, 60) * MINUTE;
  return { chance, timeline, calmAt, strikes: (probability) => timeline.now() < calmAt && chance.yes(probability) };
}

/** By the number of their cells; one is made when it is first asked for. */
export function openHosts(
  rough: Rough,
  tampering: Tampering,
  committed: (host: PoolHost, ids: readonly string[]) => void,
) {
  const hosts = new Map<number, PoolHost>();
  const hostOf = (cell: number): PoolHost => {
    const known = hosts.get(cell) ?? openPoolHost(cell, rough, tampering, { hostOf, committed });
    hosts.set(cell, known);
    return known;
  };
  return { hosts, hostOf };
}

type Around = {
  readonly hostOf: (cell: number) => PoolHost;
  readonly committed: (host: PoolHost, ids: readonly string[]) => void;
};

function openPoolHost(cell: number, rough: Rough, tampering: Tampering, { hostOf, committed }: Around): PoolHost {
  const { timeline, chance, strikes } = rough;
  const name = `${TENANT}/pool/${cell}`;
  let instance: (Instance & { readonly alarm: () => Promise<void> }) | null = null;
  const kill = (): void => {
    if (!instance) return;
    timeline.note(`${name} is put away`);
    instance.alive = false;
    instance.end();
    instance = null;
  };
  const disk = openDisk({
    beforeCommit: () => {},
    committed: (ids) => {
      committed(host, ids);
      if (strikes(0.01)) kill();
    },
    alarmChanged: () => {
      const at = disk.alarm();
      if (at === null) return;
      timeline.at(Math.max(at, timeline.now() + 1), () => {
        if (disk.alarm() !== at) return;
        disk.setAlarm(null);
        awake()
          .alarm()
          .catch(() => disk.setAlarm(timeline.now() + SECOND));
      });
    },
  });
  const awake = () => (instance ??= openInstance());

  const openInstance = () => {
    let end: () => void = () => {};
    const gone = new Promise<never>((_, reject) => (end = () => reject(new Error("the object was reset"))));
    gone.catch(() => {});
    const life = { alive: true, gone, end };
    const storage = (tampering.storage ?? ((same) => same))(fenced(disk.storage, life));
    const setAlarm = (at: number): void => {
      if (life.alive) disk.setAlarm(at);
    };
    const ports = portsIn(rough, life, { name, storage, setAlarm });
    const engine = openCell(ports);
    if (!engine.heads.isEmpty()) engine.alarm.noteArmed(disk.alarm());
    const reset = async (): Promise<void> => {
      if (life.alive) disk.reset();
    };
    const rearm = async (at: number): Promise<void> => setAlarm(at);
    const calls = openCalls(engine, {
      ...ports,
      rearm,
      getAlarm: async () => disk.alarm(),
      reset: () => letGo(door, { reset, rearm }),
    });
    const door = openPool({
      cell,
      storage,
      now: timeline.now,
      heads: engine.heads,
      start: calls.start,
      log: ports.log,
      keysPerPage: chance.between(1, 3),
      ask: (other) => {
        const call = <T>(work: (asked: PoolCell) => Promise<T>): Promise<T> =>
          hostOf(other).call(life, (asked) => work((tampering.asked ?? ((same) => same))(asked)));
        return { supersede: (ask) => call((to) => to.supersede(ask)), holds: (ask) => call((to) => to.holds(ask)) };
      },
      gaveWay: (until) => {
        if (!engine.heads.isEmpty()) return;
        setAlarm(until);
        engine.alarm.noteArmed(until);
      },
    });
    // One that dies keeps its life: what it was asked for is then never answered by it.
    return Object.assign(life, { door, alarm: calls.alarm });
  };

  const host: PoolHost = {
    disk,
    kill,
    call: async (caller, work) => {
      await timeline.sleep(chance.between(1, 6), caller);
      if (strikes(0.05)) throw new Error("the request was lost");
      const { door, gone } = awake();
      if (strikes(0.04)) void work(door).catch(() => {});
      const answer = await Promise.race([work(door), gone]);
      if (strikes(0.05)) throw new Error("the answer was lost");
      await timeline.sleep(strikes(0.05) ? chance.between(100, 20_000) : chance.between(1, 6), caller);
      return answer;
    },
  };
  return host;
}

function portsIn(
  { timeline, chance }: Rough,
  life: Life,
  own: { readonly name: string; readonly storage: CellStorage; readonly setAlarm: (at: number) => void },
) {
  // A busy object's timers are late.
  const wait = (ms: number, work: () => void): void =>
    timeline.at(timeline.now() + ms + chance.between(0, 20), () => life.alive && work());
  return {
    ...own,
    headsInMemory: 4,
    now: timeline.now,
    inspect: () => {},
    suspendedAt: () => null,
    learnSuspended: async () => {},
    later: wait,
    near: wait,
    sendActions: async () => {},
    sendSlowActions: async () => {},
    sendOutboxes: async () => {},
    sendProjection: async () => {},
    // Long enough for cells to be busy: what comes in then waits for its turn.
    fly: async () => {
      await timeline.sleep(chance.between(1, 3_000), life);
      return { ok: true as const, result: {}, events: [], startedAt: timeline.now(), endedAt: timeline.now() };
    },
    publish: () => {},
    log: () => {},
  };
}

/** The catalog's row: who changes it finds it as it knew it. */
export function openRow(chance: Chance, begin: Pool) {
  let pool = begin;
  return {
    read: (): Pool => pool,
    resize: (): void => {
      const size = chance.pick([...LAYERS]);
      if (size === pool.size) return;
      const layers = pool.layers.includes(size) ? pool.layers : [...pool.layers, size];
      pool = { epoch: pool.epoch + 1, size, layers };
    },
  };
}

export function cellOf(execution: string): number {
  return poolCellOf(`${TENANT}/pool/${poolCell(execution) ?? ""}`) ?? -1;
}
