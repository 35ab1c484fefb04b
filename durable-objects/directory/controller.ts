// Controller of one part of a tenant's directory: stores the correlation keys of executions, and published events. Asks
// the Worker to deliver the events that are due.
import {
  REPORT_GAP_MS_MAX,
  DIRECTORY_GUARD_MS,
  DIRECTORY_PURGED_ROWS,
  DIRECTORY_STEPS_PER_ALARM,
  RECIPIENTS_PER_CALL,
  WAITING_EVENTS_PER_SLICE,
  PUBLISHED_EVENTS_MAX,
  EVENT_RECIPIENTS_MAX,
} from "#schema/limits/published-events.ts";
import { REMOVED_KEYS_KEPT_MS } from "#schema/limits/executions.ts";
import { isNewerReport } from "#policy/directory/report-order.ts";
import { planDirectory, type DirectoryPlan } from "#policy/directory/plan.ts";
import {
  assignTo,
  recordDeliveries,
  acceptEvent,
  expireEvent,
  recordUnreached,
  endReport,
  isReplayOf,
  postponeReport,
  reportOf,
  republish,
  undeliverableFault,
} from "#policy/directory/published-event.ts";
import type {
  KeyRegistration,
  Directory,
  DirectoryWorkPort,
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
  /**
   * The number of events stored since the last purge. It begins at the limit, so that a new instance of the object
   * purges at its first event.
   */
  #storedSincePurge = DIRECTORY_PURGED_ROWS;

  constructor(ports: DirectoryPorts) {
    this.#ports = ports;
    const { storage } = ports;
    this.#host = new Host<DirectoryPlan>(ports.platform, storage, settings, {
      // The controller has no state in memory: it reads the rows for each decision.
      load: () => {},
      plan: (now) => planDirectory(storage.due(now), storage.nextDue(), storage.oldestLeft()),
      carryOut: (plan) => this.#carryOut(plan),
      fail: (plan, message) => this.#fail(plan, message),
      purge: (now) => storage.purgeLeft(now - REMOVED_KEYS_KEPT_MS, DIRECTORY_PURGED_ROWS),
    });
  }

  async registerKeys(members: readonly KeyRegistration[]): Promise<void> {
    this.#host.commit(() => {
      for (const member of members) this.#register(member, this.#now());
    });
  }

  /** Stores the correlation key of an execution. Events that wait for this key become due in the same commit. */
  #register(member: KeyRegistration, now: number): void {
    const { storage } = this.#ports;
    const { execution, key } = member;
    if (!isNewerReport(member, storage.member(execution))) return;
    storage.putMember(member, now);
    if (key === null) return;
    // The events are read in pages, because they may be large. `assignTo` makes an event due, so the next page does not
    // contain it.
    for (;;) {
      const kept = storage.keptFor(key, WAITING_EVENTS_PER_SLICE);
      if (kept.length === 0) return;
      for (const row of kept) storage.putPosted(assignTo(row, member, now));
    }
  }

  async post(events: readonly PublishedEvent[], dryRun: boolean): Promise<readonly Result<PublishedEventAnswer>[]> {
    const postAll = () => events.map((event) => this.#postOne(event, this.#now(), dryRun));
    return dryRun ? postAll() : this.#host.commit(postAll);
  }

  #postOne(event: PublishedEvent, now: number, dryRun: boolean): Result<PublishedEventAnswer> {
    const { storage } = this.#ports;
    const existing = storage.posted(event.id);
    const isReplay = existing !== null && isReplayOf(event, existing);
    if (existing !== null && !isReplay) {
      if (existing.event.fingerprint !== event.fingerprint) return refuse(conflict);
      return accept({ row: existing, repeated: true });
    }
    const members = storage.members(event.key, EVENT_RECIPIENTS_MAX + 1);
    const accepted = acceptEvent(event, members, members.length > 0 ? 0 : storage.countKept(), now);
    if (!accepted.ok) return accepted;
    const row = existing === null ? accepted.value : republish(accepted.value, existing);
    if (!dryRun) {
      storage.putPosted(row);
      this.#purgeSometimes();
    }
    return accept({ row, repeated: false });
  }

  /** A purge counts all events, which is expensive, so it runs once per DIRECTORY_PURGED_ROWS new events. */
  #purgeSometimes(): void {
    this.#storedSincePurge += 1;
    if (this.#storedSincePurge < DIRECTORY_PURGED_ROWS) return;
    this.#storedSincePurge = 0;
    this.#ports.storage.purgeOldest(PUBLISHED_EVENTS_MAX, 2 * DIRECTORY_PURGED_ROWS, this.#now() + REPORT_GAP_MS_MAX);
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
        const next = expireEvent(plan.row, this.#now());
        return this.#host.commit(() => {
          if (next === null) storage.dropPosted(plan.row.event.id);
          else this.#putResult(next);
        });
      }
      case "report": {
        const report = reportOf(plan.row);
        if (report !== null) await platform.within(work().report(tenant, report));
        return this.#host.commit(() => this.#putReported(plan.row, endReport(plan.row, this.#now())));
      }
      case "deliver": {
        const { row } = plan;
        const recipients = row.recipients.filter(({ outcome }) => outcome === null).slice(0, RECIPIENTS_PER_CALL);
        const outcomes = await platform.within(work().deliver(tenant, row.event, recipients));
        return this.#host.commit(() => this.#putResult(recordDeliveries(row, recipients, outcomes, this.#now())));
      }
    }
  }

  /** Stores the result of a step. If it is the end of an event that no execution accepted, logs a line. */
  #putResult(row: PublishedEventRow): void {
    const { storage, tenant, platform } = this.#ports;
    storage.putPosted(row);
    const fault = undeliverableFault(row);
    if (fault === null) return;
    const { id, type, source } = row.event;
    platform.log({ level: "warn", event: "event_undeliverable", tenant, id, type, source, ...fault });
  }

  /** Stores the state of a report, unless a replay has published the event again during the call. */
  #putReported(reported: PublishedEventRow, next: PublishedEventRow): void {
    const { storage } = this.#ports;
    const current = storage.posted(reported.event.id);
    if (current?.isReportDue && current.event.replayedAt === reported.event.replayedAt) storage.putPosted(next);
  }

  #fail(plan: DirectoryPlan, message: string): void {
    switch (plan.kind) {
      case "deliver":
        return this.#host.commit(() => this.#putResult(recordUnreached(plan.row, this.#now())));
      case "report":
        return this.#host.commit(() => this.#putReported(plan.row, postponeReport(plan.row, this.#now())));
      case "pass_over":
      case "rest":
        throw new Error(message);
    }
  }

  #now(): number {
    return this.#ports.platform.now();
  }
}

const conflict = {
  code: "idempotency_conflict",
  message: "An event with this id was already published with different content.",
  hint: "Use a new id for a new event. To repeat a request, send exactly the same body.",
  errors: [{ pointer: "/id", code: "conflict", message: "was already used for another event" }],
} as const;
