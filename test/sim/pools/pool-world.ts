// One tenant's pool from a seed: cells that are evicted and wake up, clients that repeat keys through isolates with old
// views, a pool that is resized meanwhile, and lost, doubled and late messages. Cells and the routing of moved keys are
// real.
import { openCalls } from "#objects/execution/calls.ts";
import { openCell } from "#objects/execution/cell.ts";
import { releaseStorage } from "#objects/execution/pool/release-storage.ts";
import { openPoolAdmission, type PoolAdmission } from "#objects/execution/pool/pool-admission.ts";
import type { CellStorage } from "#objects/execution/storage.ts";
import { LAYERS, poolCellOf } from "#policy/pools/layout.ts";
import { poolCell } from "#schema/ids.ts";
import type { Pool, PoolCell } from "#schema/placement/tenant-pool.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { fenced, openDisk, type Disk } from "../disk.ts";
import { BEGIN, MINUTE, SECOND } from "../scenario.ts";
import { openEvictable } from "../kit/evictable.ts";
import { openRough, type Rough } from "../kit/faulty-network.ts";
import { openTimeline, type Timeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";

export const TENANT = "acme";

/** Mutations of the protocol, for proving that the oracle detects them. */
export type Tampering = {
  readonly asked?: (cell: PoolCell) => PoolCell;
  readonly storage?: (storage: CellStorage) => CellStorage;
};

export type RoughPool = Rough & { readonly chance: Chance; readonly timeline: Timeline };

export type PoolHost = {
  readonly disk: Disk;
  readonly kill: () => void;
  readonly call: <T>(caller: Life, work: (door: PoolAdmission) => Promise<T>) => Promise<T>;
};

export function roughOf(seed: number): RoughPool {
  const chance = chanceOf(`pools/${seed}`);
  const timeline = openTimeline(BEGIN, 80);
  const calmAt = BEGIN + chance.between(5, 60) * MINUTE;
  return { ...openRough(chance, () => timeline.now() >= calmAt), chance, timeline };
}

/** The hosts by cell number; a host is created at its first call. */
export function openHosts(
  rough: RoughPool,
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

function openPoolHost(cell: number, rough: RoughPool, tampering: Tampering, { hostOf, committed }: Around): PoolHost {
  const { timeline, chance, strikes } = rough;
  const name = `${TENANT}/pool/${cell}`;
  const kill = (): void => {
    if (object.isAwake()) timeline.note(`${name} is put away`);
    object.evict("put away");
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
        object
          .awake()
          .alarm()
          .catch(() => disk.setAlarm(timeline.now() + SECOND));
      });
    },
  });
  const object = openEvictable((life) => {
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
      reset: () => releaseStorage(door, { reset, rearm }),
    });
    const door = openPoolAdmission({
      cell,
      storage,
      now: timeline.now,
      heads: engine.heads,
      start: calls.start,
      log: ports.log,
      keysPerPage: chance.between(1, 3),
      stubOf: (other) => {
        const call = <T>(work: (asked: PoolCell) => Promise<T>): Promise<T> =>
          hostOf(other).call(life, (asked) => work((tampering.asked ?? ((same) => same))(asked)));
        return { yieldKeys: (ask) => call((to) => to.yieldKeys(ask)), hasKey: (ask) => call((to) => to.hasKey(ask)) };
      },
      onYield: (until) => {
        if (!engine.heads.isEmpty()) return;
        setAlarm(until);
        engine.alarm.noteArmed(until);
      },
    });
    return { door, alarm: calls.alarm };
  });

  const host: PoolHost = {
    disk,
    kill,
    call: async (caller, work) => {
      await timeline.sleep(chance.between(1, 6), caller);
      const asked = () => object.call(({ door }) => work(door));
      const answer = await rough.call(asked, { lost: 0.05, doubled: 0.04, answerLost: 0.05 });
      await timeline.sleep(strikes(0.05) ? chance.between(100, 20_000) : chance.between(1, 6), caller);
      return answer;
    },
  };
  return host;
}

function portsIn(
  { timeline, chance }: RoughPool,
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
    refreshSuspension: async () => {},
    runAfter: wait,
    runWhenDue: wait,
    sendActions: async () => {},
    sendSlowActions: async () => {},
    sendOutboxes: async () => {},
    sendProjection: async () => {},
    // Long enough for cells to be busy, so that inputs wait for their turn.
    callRunner: async () => {
      await timeline.sleep(chance.between(1, 3_000), life);
      return { ok: true as const, result: {}, events: [], startedAt: timeline.now(), endedAt: timeline.now() };
    },
    publish: () => {},
    log: () => {},
  };
}

/** The catalog's row: a change is refused if the row has changed since it was read. */
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
