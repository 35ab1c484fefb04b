// Recurring actions in memory: the real controller and host of each, over rows and an alarm that a test fires by hand.
import { RecurringController, type RecurringPorts } from "#objects/recurring/controller.ts";
import type { RecurringStorage } from "#objects/recurring/storage.ts";
import type { Recurring, RecurringProjection, RecurringWorkPort } from "#schema/recurring/calls.ts";
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
    atomically: (work) => work(),
    write: (state, rows) => {
      beforeCommit();
      disk.state = structuredClone(state);
      for (const row of rows) disk.rows.set(row.id, structuredClone(row));
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
  readonly news: RecurringProjection[] = [];
  readonly lines: Record<string, unknown>[] = [];
  isOff = false;
  readonly #controllers = new Map<string, RecurringController>();
  readonly #now: () => number;
  readonly #work: () => RecurringWorkPort;

  constructor(now: () => number, work: () => RecurringWorkPort) {
    this.#now = now;
    this.#work = work;
  }

  recurring(name: string): Recurring {
    return this.controller(name);
  }

  controller(name: string): RecurringController {
    const controller = this.#controllers.get(name) ?? new RecurringController(this.#ports(name));
    this.#controllers.set(name, controller);
    return controller;
  }

  disk(name: string): RecurringDisk {
    const disk = this.disks.get(name) ?? recurringDisk();
    this.disks.set(name, disk);
    return disk;
  }

  /** As the platform does with what nobody calls for a while. */
  evict(name: string): void {
    this.#controllers.delete(name);
  }

  /** Rings every alarm whose time has come. */
  async ring(): Promise<void> {
    for (const [name, disk] of this.disks) {
      if (disk.alarm === null || disk.alarm > this.#now()) continue;
      disk.alarm = null;
      await this.controller(name).wake();
    }
  }

  #ports(name: string): RecurringPorts {
    const disk = this.disk(name);
    return {
      platform: {
        now: this.#now,
        setAlarm: (at) => (disk.alarm = at),
        log: (line) => void this.lines.push(line),
        within: (call) => call,
      },
      storage: memoryStorage(disk),
      isOff: () => this.isOff,
      work: this.#work,
      notify: async (news) => void this.news.push(news),
    };
  }
}
