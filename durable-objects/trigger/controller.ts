// Controller of one trigger: stores deliveries, and recognizes duplicates for days. Asks the Worker to start executions
// or send events, in the order of arrival. The deliveries that it gets are already mapped by the Worker.
import { rateRefusal, roomRefusal, type StoredDeliveries } from "#policy/inbound/deliveries.ts";
import { newAlerts, nextStuckAlertAt, noAlertsReported } from "#policy/inbound/trigger-alerts.ts";
import { planTrigger, type TriggerPlan } from "#policy/inbound/plan.ts";
import { takeRate } from "#policy/inbound/rate.ts";
import type {
  DeliveryAnswer,
  Arrival,
  Delivery,
  DeliveryQuery,
  DeliveryOutcome,
  DeliveryPort,
  PollerTerms,
  ReplayItem,
  AcceptedDelivery,
  RefusedSender,
  TriggerPort,
  TriggerTerms,
  TriggerView,
} from "#schema/inbound/delivery.ts";
import type { EventReport } from "#schema/directory/calls.ts";
import type { TriggerAlertPort } from "#schema/inbound/trigger-alert.ts";
import type { PollerView, PollPort, PollPreview } from "#schema/inbound/polling.ts";
import {
  DELIVERIES_AT_ONCE,
  DELIVERY_GUARD_MS,
  TRIGGER_REPORT_RETRY_MS,
  TRIGGER_STEPS_PER_ALARM_MAX,
} from "#schema/limits/inbound/deliveries.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { Host, type HostPlatform, type HostSettings } from "#objects/host/host.ts";
import { Poller } from "./poller.ts";
import { deliveryIdForSeq, deliveryOf, numberOf, takenOf } from "./present.ts";
import { purgeDeliveries } from "./purge.ts";
import type { Due } from "./pending-rows.ts";
import { recordOutcomes, recordReport } from "./record-results.ts";
import type { Owner, TriggerStorage } from "./storage.ts";
import { storeDeliveries, replayDelivery } from "./store-deliveries.ts";

export type TriggerPorts = {
  readonly platform: HostPlatform;
  readonly storage: TriggerStorage;
  readonly work: () => DeliveryPort & PollPort & TriggerAlertPort;
};

const settings: HostSettings = { guardMs: DELIVERY_GUARD_MS, stepsMax: TRIGGER_STEPS_PER_ALARM_MAX, startedBy: "call" };

export class TriggerController implements TriggerPort {
  readonly #ports: TriggerPorts;
  readonly #host: Host<TriggerPlan>;
  readonly #poller: Poller;
  /**
   * When the rate limit is fully available again, epoch ms. It is in memory only, so an eviction admits one more burst.
   */
  #rateFullAt = 0;
  /** The number of pending deliveries. */
  #pending = 0;
  /** The number of deliveries whose events wait for an execution. */
  #published = 0;
  /** When the next pending delivery is due, epoch ms; null if none is pending. */
  #dueAt: number | null = null;
  /** False while the last purge has left something to delete. */
  #isPurged = true;

  constructor(ports: TriggerPorts) {
    this.#ports = ports;
    const { platform, storage, work } = ports;
    const { rows, polls } = storage;
    this.#poller = new Poller({
      platform,
      work,
      rows: polls,
      commit: (write) => this.#host.commit(write, "alarm"),
      hasRoom: (owner) => roomRefusal(this.#storedDeliveries(), owner) === null,
      deliver: (owner, arrivals) => void this.#store(owner, arrivals),
    });
    this.#host = new Host<TriggerPlan>(platform, storage, settings, {
      load: () => this.#load(),
      plan: (now) => {
        const alertAt = this.#nextAlertAt(now);
        const facts = { dueAt: this.#dueAt, oldestAt: rows.firstAt(), isTidy: this.#isPurged, alertAt };
        return planTrigger({ ...facts, poll: this.#poller.plan(now) }, now);
      },
      carryOut: (plan) => this.#carryOut(plan),
      fail: (plan, message) => this.#fail(plan, message),
      purge: (now) => void (this.#isPurged = purgeDeliveries(rows, now, platform.log)),
      notify: { send: () => this.#notify(), againMs: TRIGGER_REPORT_RETRY_MS },
    });
  }

  async receiveDeliveries(
    terms: TriggerTerms,
    arrivals: readonly Arrival[],
  ): Promise<Result<readonly DeliveryAnswer[]>> {
    const { fullAt, retryAfterS } = takeRate(this.#rateFullAt, terms, arrivals.length, this.#now());
    if (retryAfterS !== null) return refuse(rateRefusal(terms, retryAfterS));
    const hasNew = arrivals.some(({ identity }) => this.#ports.storage.rows.byIdentity(identity) === null);
    const noRoom = hasNew ? roomRefusal(this.#storedDeliveries(), terms) : null;
    if (noRoom !== null) return refuse(noRoom);
    const store = () => this.#store(terms, arrivals);
    const answers = hasNew ? this.#host.commit(store) : store();
    this.#rateFullAt = fullAt;
    if (hasNew) void this.#host.start();
    return accept(answers);
  }

  async replay(_terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<AcceptedDelivery>[]> {
    const answers = this.#host.commit(() => {
      const replayed = items.map((item) => replayDelivery(this.#ports.storage.rows, item, this.#now()));
      this.#addPending(replayed.filter((each) => each.ok && each.value.status === "pending").length);
      return replayed;
    });
    void this.#host.start();
    return answers;
  }

  async recordReport(report: EventReport): Promise<void> {
    // The object of a deleted trigger has no rows.
    if (this.#ports.storage.rows.owner() === null) return;
    this.#host.commit(() => {
      recordReport(this.#ports.storage.rows, report, this.#ports.platform.log);
      this.#load();
    });
  }

  async recordRefusal(refused: RefusedSender): Promise<void> {
    this.#ports.storage.refused.write(refused);
  }

  async list(query: DeliveryQuery): Promise<readonly Delivery[]> {
    const { status, deliveryId, limit, oldestFirst } = query;
    if (oldestFirst && status !== null) return this.#ports.storage.rows.oldest(status, limit).map(deliveryOf);
    return deliveryId === null ? this.#listPage(query) : this.#listById(deliveryId, status);
  }

  async read(id: string): Promise<Delivery | null> {
    const seq = numberOf(id);
    const row = seq === null ? null : this.#ports.storage.rows.bySeq(seq);
    return row && deliveryOf(row);
  }

  async view(terms?: PollerTerms): Promise<TriggerView> {
    const { rows } = this.#ports.storage;
    const poller = terms === undefined ? this.#poller.view() : this.#poller.update(terms);
    const published = this.#published;
    return {
      pending: this.#pending,
      published,
      refused: this.#ports.storage.refused.read(),
      stuck: rows.counts().stuck,
      lastAt: rows.lastSeq()?.at ?? null,
      poller,
    };
  }

  async updatePoller(terms: PollerTerms): Promise<PollerView> {
    return this.#poller.update(terms);
  }

  async pollNow(terms: PollerTerms): Promise<PollerView> {
    return this.#poller.pollNow(terms);
  }

  previewPoll(terms: PollerTerms): Promise<PollPreview> {
    return this.#poller.preview(terms);
  }

  /** Tries to deliver the pending deliveries, and then deletes everything. */
  async forget(): Promise<void> {
    await this.#host.start();
    await this.#host.forget();
  }

  wake(): Promise<void> {
    return this.#host.wake();
  }

  /** Reads the cached fields from the rows. */
  #load(): void {
    const { count, next } = this.#ports.storage.rows.pendingState();
    this.#pending = count;
    this.#published = this.#ports.storage.rows.countPublished();
    this.#dueAt = next;
  }

  /** Returns the delivery with the sender's id as a list; empty if no such delivery has the status. */
  #listById(deliveryId: string, status: DeliveryQuery["status"]): readonly Delivery[] {
    const { rows } = this.#ports.storage;
    const found = rows.byIdentity(`=${deliveryId}`);
    const row = found && rows.bySeq(found.seq);
    return row !== null && (status === null || takenOf(row).status === status) ? [deliveryOf(row)] : [];
  }

  #listPage({ status, before, limit }: DeliveryQuery): readonly Delivery[] {
    const from = (before === null ? null : numberOf(before)) ?? Number.MAX_SAFE_INTEGER;
    return this.#ports.storage.rows.list(status, from, limit).map(deliveryOf);
  }

  /**
   * Stores the arrivals. The caller has opened a transaction, except if all arrivals are duplicates, which write
   * nothing.
   */
  #store(owner: Owner, arrivals: readonly Arrival[]): readonly DeliveryAnswer[] {
    const answers = storeDeliveries(this.#ports.storage.rows, owner, arrivals, this.#now());
    this.#addPending(answers.filter(({ status, duplicate }) => status === "pending" && !duplicate).length);
    this.#published += arrivals.filter(
      ({ mapped }) => mapped.kind === "effect" && mapped.effect.kind === "post",
    ).length;
    return answers;
  }

  #addPending(count: number): void {
    if (count === 0) return;
    this.#pending += count;
    this.#dueAt = Math.min(this.#dueAt ?? Infinity, this.#now());
  }

  async #carryOut(plan: TriggerPlan): Promise<void> {
    switch (plan.kind) {
      case "hand_over":
        return this.#deliver();
      case "release":
      case "poll":
        return this.#poller.carryOut(plan);
      case "rest":
      case "forget":
        return;
    }
  }

  #fail(plan: TriggerPlan, message: string): void {
    switch (plan.kind) {
      case "hand_over":
        // This list has no outcomes, so all due deliveries count as not reached.
        return this.#recordOutcomes(this.#due(), []);
      case "release":
      case "poll":
        return this.#poller.fail(plan, message);
      case "rest":
      case "forget":
        throw new Error(message);
    }
  }

  #due(): readonly Due[] {
    return this.#ports.storage.rows.due(this.#now(), DELIVERIES_AT_ONCE);
  }

  async #deliver(): Promise<void> {
    const owner = this.#ports.storage.rows.owner();
    const due = this.#due();
    if (owner === null || due.length === 0) return this.#load();
    const effects = due.map(({ effect, seq }) =>
      effect.kind === "post" ? { ...effect, delivery: deliveryIdForSeq(seq) } : effect,
    );
    this.#recordOutcomes(due, await this.#ports.platform.within(this.#ports.work().deliver(owner, effects)));
  }

  #recordOutcomes(due: readonly Due[], outcomes: readonly DeliveryOutcome[]): void {
    const { platform, storage } = this.#ports;
    this.#host.commit(() => {
      recordOutcomes(storage.rows, due, outcomes, this.#now(), platform.log);
      this.#load();
    });
  }

  /** Returns when the next alert about stuck deliveries is due, epoch ms; null if none is due. */
  #nextAlertAt(now: number): number | null {
    const { rows, reported } = this.#ports.storage;
    const { stuck } = rows.counts();
    return stuck === 0 ? null : nextStuckAlertAt(stuck, reported.read() ?? noAlertsReported, now);
  }

  /** Sends tenant alerts about deliveries that wait for an operator, and about a poller that has stopped. */
  async #notify(): Promise<void> {
    const { rows, polls, reported } = this.#ports.storage;
    const owner = rows.owner() ?? polls.owner();
    if (owner === null) return;
    const before = reported.read() ?? noAlertsReported;
    const next = newAlerts({ stuck: rows.counts().stuck, poller: this.#poller.view() }, before, this.#now());
    if (next.sent === before) return;
    const { within } = this.#ports.platform;
    if (next.alerts.length > 0) await within(this.#ports.work().sendAlerts(owner, next.alerts));
    reported.write(next.sent);
  }

  #storedDeliveries(): StoredDeliveries {
    const { stuck, bytes: stuckBytes } = this.#ports.storage.rows.counts();
    return { pending: this.#pending, published: this.#published, stuck, stuckBytes };
  }

  #now(): number {
    return this.#ports.platform.now();
  }
}
