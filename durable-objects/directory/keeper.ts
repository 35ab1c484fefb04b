// Keeps one part of a tenant's directory: commits what the policy decides, then hands over what is due. Knows neither clock
// nor platform: the object, and the simulator in its place, give it both.
import {
  DIRECTORY_GUARD_MS,
  DIRECTORY_PURGED_ROWS,
  DIRECTORY_STEPS_PER_ALARM,
  HANDED_AT_ONCE,
  KEPT_GIVEN_AT_ONCE,
  LEFT_REMEMBERED_MS,
  POSTED_ROWS_MAX,
  RECIPIENTS_MAX,
} from "#schema/limits/directory.ts";
import { outdates } from "#policy/directory/member.ts";
import { giveTo, noteHandedOver, passOver, takeIn, unreached } from "#policy/directory/posted.ts";
import type {
  Directory,
  DirectoryWorkPort,
  Member,
  Posted,
  PostedAnswer,
  PostedQuery,
  PostedRow,
} from "#schema/directory/calls.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { DirectoryStorage } from "./storage.ts";

export type KeeperPorts = {
  readonly tenant: string;
  readonly storage: DirectoryStorage;
  readonly now: () => number;
  readonly work: () => DirectoryWorkPort;
  readonly arm: (at: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export class Keeper implements Directory {
  readonly #ports: KeeperPorts;
  /** As far as this object knows; null: none, or it has rung. */
  #armedAt: number | null = null;
  /** How many have come in since all were counted; a new life begins by counting. */
  #uncounted = DIRECTORY_PURGED_ROWS;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  async enlist(members: readonly Member[]): Promise<void> {
    const { storage, now } = this.#ports;
    storage.atomically(() => {
      for (const member of members) this.#enlistOne(member, now());
      this.#rest();
    });
  }

  /** What waits under its key is on its way in the same commit that makes it known. */
  #enlistOne(member: Member, now: number): void {
    const { storage } = this.#ports;
    const { execution, key } = member;
    if (!outdates(member, storage.member(execution))) return;
    storage.putMember(member, now);
    if (key === null) return;
    // In slices, since they may be large; one that is given is kept no longer.
    for (
      let kept = storage.keptFor(key, KEPT_GIVEN_AT_ONCE);
      kept.length > 0;
      kept = storage.keptFor(key, KEPT_GIVEN_AT_ONCE)
    )
      for (const row of kept) storage.putPosted(giveTo(row, member, now));
  }

  async post(events: readonly Posted[], dryRun: boolean): Promise<readonly Result<PostedAnswer>[]> {
    const { storage, now } = this.#ports;
    const answers: Result<PostedAnswer>[] = [];
    storage.atomically(() => {
      for (const event of events) answers.push(this.#postOne(event, now(), dryRun));
      if (!dryRun) this.#rest();
    });
    return answers;
  }

  #postOne(event: Posted, now: number, dryRun: boolean): Result<PostedAnswer> {
    const { storage } = this.#ports;
    const known = storage.posted(event.id);
    if (known !== null) {
      return known.event.fingerprint === event.fingerprint ? accept({ row: known, repeated: true }) : refuse(conflict);
    }
    const members = storage.members(event.key, RECIPIENTS_MAX + 1);
    const taken = takeIn(event, members, members.length > 0 ? 0 : storage.countKept(), now);
    if (!taken.ok) return taken;
    if (!dryRun) {
      storage.putPosted(taken.value);
      this.#crowdOut();
    }
    return accept({ row: taken.value, repeated: false });
  }

  /** Counting is dear: as many as one purge lets go of may come in between. */
  #crowdOut(): void {
    this.#uncounted += 1;
    if (this.#uncounted < DIRECTORY_PURGED_ROWS) return;
    this.#uncounted = 0;
    this.#ports.storage.crowdOut(POSTED_ROWS_MAX, 2 * DIRECTORY_PURGED_ROWS);
  }

  async list(query: PostedQuery): Promise<readonly PostedRow[]> {
    return this.#ports.storage.list(query);
  }

  /** Never throws: after six retries the platform forgets the alarm. */
  async ring(): Promise<void> {
    const { storage, now, arm, log } = this.#ports;
    // Armed before anything is done: it may go down with something in its hands.
    this.#armedAt = now() + DIRECTORY_GUARD_MS;
    arm(this.#armedAt);
    try {
      for (let steps = 0; steps < DIRECTORY_STEPS_PER_ALARM; steps++) {
        const row = storage.due(now());
        if (row === null) break;
        await this.#lookAfter(row);
      }
      storage.purgeLeft(now() - LEFT_REMEMBERED_MS, DIRECTORY_PURGED_ROWS);
      this.#armedAt = null;
      this.#rest();
    } catch (fault) {
      log({ level: "error", event: "directory_failed", message: String(fault) });
    }
  }

  async #lookAfter(row: PostedRow): Promise<void> {
    const { storage, now, tenant, work, log } = this.#ports;
    if (row.status !== "going") {
      const after = passOver(row, now());
      if (after === null) storage.dropPosted(row.event.id);
      else storage.putPosted(after);
      return;
    }
    const asked = row.recipients.filter(({ outcome }) => outcome === null).slice(0, HANDED_AT_ONCE);
    try {
      const outcomes = await work().handOver(tenant, row.event, asked);
      storage.putPosted(noteHandedOver(row, asked, outcomes, now()));
    } catch (fault) {
      log({ level: "warn", event: "event_not_handed_over", id: row.event.id, message: String(fault) });
      storage.putPosted(unreached(row, now()));
    }
  }

  #rest(): void {
    const { storage, arm, now } = this.#ports;
    const left = storage.oldestLeft();
    const at = Math.min(storage.nextDue() ?? Infinity, left === null ? Infinity : left + LEFT_REMEMBERED_MS + 1);
    const isArmed = this.#armedAt !== null && this.#armedAt > now() && this.#armedAt <= at;
    if (at === Infinity || isArmed) return;
    this.#armedAt = Math.max(at, now() + 1);
    arm(this.#armedAt);
  }
}

const conflict = {
  code: "idempotency_conflict",
  message: "An event with this id has been posted, with another content.",
  hint: "Use a new id for a new event; repeat a request with exactly the body it had.",
  errors: [{ pointer: "/id", code: "conflict", message: "was used for another event" }],
} as const;
