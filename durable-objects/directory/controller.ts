// Controller of one part of a tenant's directory: stores correlation keys and published events, and asks the Worker to
// deliver what is due.
import { REMOVED_KEYS_KEPT_MS } from "#schema/limits/correlation-keys.ts";
import {
  DIRECTORY_GUARD_MS,
  DIRECTORY_PURGED_ROWS,
  DIRECTORY_STEPS_PER_ALARM,
  EVENT_RECIPIENTS_MAX,
  PUBLISHED_EVENTS_MAX,
  RECIPIENTS_PER_CALL,
  WAITING_EVENTS_PER_SLICE,
} from "#schema/limits/published-events.ts";
import { isNewerReport } from "#policy/directory/report-order.ts";
import { planDirectory, type DirectoryPlan } from "#policy/directory/plan.ts";
import {
  assignTo,
  recordDeliveries,
  expireEvent,
  acceptEvent,
  recordUnreached,
} from "#policy/directory/published-event.ts";
import type {
  Directory,
  DirectoryWorkPort,
  KeyRegistration,
  PublishedEvent,
  PublishedEventAnswer,
  PublishedEventQuery,
  PublishedEventRow,
} from "#schema/directory/calls.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { Host, type HostPlatform, type HostSettings } from "#objects/host/host.ts";
import type { DirectoryStorage } from "./storage.ts";

export type DirectoryPorts = {
  readonly tenant: string;
  readonly platform: HostPlatform;
  readonly storage: DirectoryStorage;
  readonly work: () => DirectoryWorkPort;
};

const settings: HostSettings = { guardMs: DIRECTORY_GUARD_MS, stepsMax: DIRECTORY_STEPS_PER_ALARM, startedBy: "alarm" };

export class DirectoryController implements Directory {
  readonly #ports: DirectoryPorts;
  readonly #host: Host<DirectoryPlan>;
  /** Events stored since all were counted; a new instance counts at its first event. */
  #uncounted = DIRECTORY_PURGED_ROWS;

  constructor(ports: DirectoryPorts) {
    this.#ports = ports;
    const { storage } = ports;
    this.#host = new Host<DirectoryPlan>(ports.platform, storage, settings, {
      // All of it is in rows.
      load: () => {},
      plan: (now) => planDirectory(storage.due(now), storage.nextDue(), storage.oldestLeft()),
      carryOut: (plan) => this.#carryOut(plan),
      fail: (plan, message) => this.#fail(plan, message),
      tidy: (now) => storage.purgeLeft(now - REMOVED_KEYS_KEPT_MS, DIRECTORY_PURGED_ROWS),
    });
  }

  async enlist(members: readonly KeyRegistration[]): Promise<void> {
    this.#host.commit(() => {
      for (const member of members) this.#enlistOne(member, this.#now());
    });
  }

  /** Events kept for its key become due in the commit that stores the member. */
  #enlistOne(member: KeyRegistration, now: number): void {
    const { storage } = this.#ports;
    const { execution, key } = member;
    if (!isNewerReport(member, storage.member(execution))) return;
    storage.putMember(member, now);
    if (key === null) return;
    // In slices, because events may be large; one that is due is no longer kept.
    for (
      let kept = storage.keptFor(key, WAITING_EVENTS_PER_SLICE);
      kept.length > 0;
      kept = storage.keptFor(key, WAITING_EVENTS_PER_SLICE)
    )
      for (const row of kept) storage.putPosted(assignTo(row, member, now));
  }

  async post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]> {
    const postAll = () => events.map((event) => this.#postOne(event, this.#now(), dryRun));
    return dryRun ? postAll() : this.#host.commit(postAll);
  }

  #postOne(event: PublishedEvent, now: number, dryRun: boolean): Result<PublishedEventAnswer> {
    const { storage } = this.#ports;
    const known = storage.posted(event.id);
    if (known !== null) {
      return known.event.fingerprint === event.fingerprint ? accept({ row: known, repeated: true }) : refuse(conflict);
    }
    const members = storage.members(event.key, EVENT_RECIPIENTS_MAX + 1);
    const taken = acceptEvent(event, members, members.length > 0 ? 0 : storage.countKept(), now);
    if (!taken.ok) return taken;
    if (!dryRun) {
      storage.putPosted(taken.value);
      this.#purgeOldest();
    }
    return accept({ row: taken.value, repeated: false });
  }

  /** Counting is expensive: it waits for as many events as one purge deletes. */
  #purgeOldest(): void {
    this.#uncounted += 1;
    if (this.#uncounted < DIRECTORY_PURGED_ROWS) return;
    this.#uncounted = 0;
    this.#ports.storage.purgeOldest(PUBLISHED_EVENTS_MAX, 2 * DIRECTORY_PURGED_ROWS);
  }

  async list(query: PublishedEventQuery): Promise<readonly PublishedEventRow[]> {
    return this.#ports.storage.list(query);
  }

  wake(): Promise<void> {
    return this.#host.wake();
  }

  async #carryOut(plan: DirectoryPlan): Promise<void> {
    const { storage, tenant, work, platform } = this.#ports;
    switch (plan.kind) {
      case "rest":
        return;
      case "pass_over": {
        const after = expireEvent(plan.row, this.#now());
        return this.#host.commit(() => {
          if (after === null) storage.dropPosted(plan.row.event.id);
          else storage.putPosted(after);
        });
      }
      case "deliver": {
        const { row } = plan;
        const asked = row.recipients.filter(({ outcome }) => outcome === null).slice(0, RECIPIENTS_PER_CALL);
        const outcomes = await platform.within(work().handOver(tenant, row.event, asked));
        return this.#host.commit(() => storage.putPosted(recordDeliveries(row, asked, outcomes, this.#now())));
      }
    }
  }

  #fail(plan: DirectoryPlan, message: string): void {
    if (plan.kind !== "deliver") throw new Error(message);
    this.#host.commit(() => this.#ports.storage.putPosted(recordUnreached(plan.row, this.#now())));
  }

  #now(): number {
    return this.#ports.platform.now();
  }
}

const conflict = {
  code: "idempotency_conflict",
  message: "An event with this id has been posted, with another content.",
  hint: "Use a new id for a new event; repeat a request with exactly the body it had.",
  errors: [{ pointer: "/id", code: "conflict", message: "was used for another event" }],
} as const;
