// A tenant's directory in memory: the real controller of each part, over rows and an alarm that a test fires by hand.
import { DirectoryController } from "#objects/directory/controller.ts";
import type { HostPlatform } from "#objects/host/host.ts";
import type { DirectoryStorage } from "#objects/directory/storage.ts";
import type { Directory, DirectoryWorkPort, KeyRegistration, PublishedEventRow } from "#schema/directory/calls.ts";

/** What stays when an object is put away. */
export type DirectoryDisk = {
  readonly members: Map<string, KeyRegistration & { readonly leftAt: number | null }>;
  readonly posted: Map<string, PublishedEventRow>;
  alarm: number | null;
};

export function directoryDisk(): DirectoryDisk {
  return { members: new Map(), posted: new Map(), alarm: null };
}

const oldestFirst = (a: PublishedEventRow, b: PublishedEventRow): number =>
  a.at - b.at || (a.event.id < b.event.id ? -1 : 1);
const least = (list: readonly number[]): number | null => (list.length === 0 ? null : Math.min(...list));

export function directoryRows(disk: DirectoryDisk): DirectoryStorage {
  const all = (): PublishedEventRow[] => [...disk.posted.values()].toSorted(oldestFirst);
  const left = () => [...disk.members.values()].flatMap(({ leftAt }) => leftAt ?? []);
  return {
    member: (execution) => disk.members.get(execution) ?? null,
    putMember: (member, at) =>
      void disk.members.set(member.execution, { ...member, leftAt: member.key === null ? at : null }),
    members: (key, limit) => [...disk.members.values()].filter((member) => member.key === key).slice(0, limit),
    purgeLeft: (before) => {
      for (const [id, { leftAt }] of disk.members) if (leftAt !== null && leftAt < before) disk.members.delete(id);
    },
    oldestLeft: () => least(left()),
    posted: (id) => disk.posted.get(id) ?? null,
    putPosted: (row) => void disk.posted.set(row.event.id, structuredClone(row)),
    dropPosted: (id) => void disk.posted.delete(id),
    purgeOldest: (max, limit, reportsBy) => {
      if (disk.posted.size <= max) return;
      const isFinished = ({ status, dueAt }: PublishedEventRow): boolean =>
        (status === "delivered" || status === "undeliverable") && dueAt > reportsBy;
      const over = all().filter(isFinished);
      for (const { event } of over.slice(0, limit)) disk.posted.delete(event.id);
    },
    keptFor: (key, limit) =>
      all()
        .filter(({ event, status }) => event.key === key && status === "kept")
        .slice(0, limit),
    countKept: () => all().filter(({ status }) => status === "kept").length,
    due: (now) => all().find(({ dueAt }) => dueAt <= now) ?? null,
    nextDue: () => least(all().map(({ dueAt }) => dueAt)),
    list: ({ key, status, before, limit }) =>
      all()
        .toReversed()
        .filter((row) => (key === null || row.event.key === key) && (status === null || row.status === status))
        .filter(({ at, event: { id } }) => before === null || at < before.at || (at === before.at && id < before.id))
        .slice(0, limit),
    atomically: (work) => work(),
    reset: async () => {},
  };
}

export class MemoryDirectories {
  readonly disks = new Map<string, DirectoryDisk>();
  readonly lines: Record<string, unknown>[] = [];
  readonly #controllers = new Map<string, DirectoryController>();
  readonly #now: () => number;
  readonly #work: () => DirectoryWorkPort;

  constructor(now: () => number, work: () => DirectoryWorkPort) {
    this.#now = now;
    this.#work = work;
  }

  directory(name: string): Directory {
    return this.#controller(name);
  }

  /** As the platform does with what nobody calls for a while. */
  evict(): void {
    this.#controllers.clear();
  }

  /** Rings every alarm whose time has come. */
  async ring(): Promise<void> {
    for (const [name, disk] of this.disks) {
      if (disk.alarm === null || disk.alarm > this.#now()) continue;
      disk.alarm = null;
      await this.#controller(name).wake();
    }
  }

  #controller(name: string): DirectoryController {
    const disk = this.disks.get(name) ?? directoryDisk();
    this.disks.set(name, disk);
    const [tenant = ""] = name.split("/");
    const known = this.#controllers.get(name);
    if (known) return known;
    const platform: HostPlatform = {
      now: this.#now,
      setAlarm: (at) => void (disk.alarm = at),
      log: (line) => void this.lines.push(line),
      within: (call) => call,
    };
    const made = new DirectoryController({ tenant, platform, storage: directoryRows(disk), work: this.#work });
    this.#controllers.set(name, made);
    return made;
  }
}
