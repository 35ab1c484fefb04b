// Recurring actions in memory: the real keeper of each, over rows and an alarm that a test rings by hand.
import { Keeper, type KeeperPorts } from "#objects/recurring/keeper.ts";
import type { RecurringStorage } from "#objects/recurring/storage.ts";
import type { Recurring, RecurringNews, RecurringWorkPort } from "#schema/recurring/calls.ts";
import type { OccurrenceRow, RecurringState } from "#schema/recurring/state.ts";

/** What stays when an object is put away. */
export type RecurringDisk = {
  state: RecurringState | null;
  readonly rows: Map<string, OccurrenceRow>;
  alarm: number | null;
  commits: number;
};

export function recurringDisk(): RecurringDisk {
  return { state: null, rows: new Map(), alarm: null, commits: 0 };
}

/** `beforeCommit` may throw: then nothing of it is stored. */
export function memoryStorage(disk: RecurringDisk, beforeCommit: () => void = () => {}): RecurringStorage {
  const newestFirst = (): OccurrenceRow[] =>
    [...disk.rows.values()].toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return {
    read: () => structuredClone(disk.state),
    commit: (state, rows, wakeAt) => {
      beforeCommit();
      disk.state = structuredClone(state);
      for (const row of rows) disk.rows.set(row.id, structuredClone(row));
      if (wakeAt !== null) disk.alarm = wakeAt;
      disk.commits += 1;
    },
    find: (_at, id) => disk.rows.get(id) ?? null,
    list: (limit, before) =>
      newestFirst()
        .filter(({ at, id }) => before === null || at < before[0] || (at === before[0] && id < before[1]))
        .slice(0, limit),
    reset: async () => {
      disk.state = null;
      disk.rows.clear();
      disk.alarm = null;
    },
  };
}

export class MemoryRecurring {
  readonly disks = new Map<string, RecurringDisk>();
  readonly news: RecurringNews[] = [];
  readonly lines: Record<string, unknown>[] = [];
  isOff = false;
  readonly #keepers = new Map<string, Keeper>();
  readonly #now: () => number;
  readonly #work: () => RecurringWorkPort;

  constructor(now: () => number, work: () => RecurringWorkPort) {
    this.#now = now;
    this.#work = work;
  }

  recurring(name: string): Recurring {
    return this.keeper(name);
  }

  keeper(name: string): Keeper {
    const keeper = this.#keepers.get(name) ?? new Keeper(this.#ports(name));
    this.#keepers.set(name, keeper);
    return keeper;
  }

  disk(name: string): RecurringDisk {
    const disk = this.disks.get(name) ?? recurringDisk();
    this.disks.set(name, disk);
    return disk;
  }

  /** As the platform does with what nobody calls for a while. */
  evict(name: string): void {
    this.#keepers.delete(name);
  }

  /** Rings every alarm whose time has come. */
  async ring(): Promise<void> {
    for (const [name, disk] of this.disks) {
      if (disk.alarm === null || disk.alarm > this.#now()) continue;
      disk.alarm = null;
      await this.keeper(name).ring();
    }
  }

  #ports(name: string): KeeperPorts {
    const disk = this.disk(name);
    return {
      storage: memoryStorage(disk),
      now: this.#now,
      isOff: () => this.isOff,
      work: this.#work,
      within: (call) => call,
      tell: async (news) => void this.news.push(news),
      arm: (at) => (disk.alarm = at),
      log: (line) => void this.lines.push(line),
    };
  }
}
