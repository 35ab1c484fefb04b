// The trigger object: one for each trigger. It takes deliveries, knows them again for days, and hands what they come to over
// to executions, in the order in which they came. What they come to is the Worker's to say, and so is the handing over.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { afterHandOver, rateRefusal, roomRefusal, type Waiting } from "#policy/inbound/deliveries.ts";
import { takeRate } from "#policy/inbound/rate.ts";
import { newsOf, nothingTold } from "#policy/inbound/news.ts";
import type {
  Answered,
  Arrival,
  Delivery,
  DeliveryQuery,
  HandedOver,
  HandOverPort,
  PollerTerms,
  ReplayItem,
  Taken,
  TriggerPort,
  TriggerTerms,
  TriggerView,
} from "#schema/inbound/delivery.ts";
import type { TriggerNewsPort, TriggerTold } from "#schema/inbound/news.ts";
import type { PollerView, PollPort, PollPreview } from "#schema/inbound/polling.ts";
import {
  DELIVERIES_AT_ONCE,
  DELIVERY_KEPT_MS,
  HAND_OVER_GUARD_MS,
  HAND_OVERS_PER_ALARM,
  TELL_NEWS_AGAIN_MS,
} from "#schema/limits/inbound.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { pollRows, type PollRows } from "./poll-rows.ts";
import { Poller } from "./poller.ts";
import { deliveryOf, numberOf, takenOf } from "./present.ts";
import type { Due } from "./side-rows.ts";
import { triggerRows, type TriggerRows } from "./storage.ts";
import type { Owner } from "./store.ts";
import { takeIn, takeInAgain } from "./take.ts";
import { tidy } from "./tidy.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly TriggerWork: HandOverPort & PollPort & TriggerNewsPort };

const TOLD = "told";

export class TriggerObject extends DurableObject<Env> implements TriggerPort {
  readonly #rows: TriggerRows;
  readonly #polls: PollRows;
  readonly #poller: Poller;
  /** In memory only: after a crash a burst more may come in. */
  #rateFullAt = 0;
  #pending: number;
  #armedAt: number | null = null;
  #isHandingOver = false;
  #isTelling = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#rows = triggerRows(ctx.storage);
    this.#pending = this.#rows.pendingState().count;
    this.#polls = pollRows(ctx.storage);
    this.#poller = new Poller({
      rows: this.#polls,
      now: () => Date.now(),
      atomically: (work) => this.#rows.atomically(work),
      work: () => (ctx.exports as unknown as Loopback).TriggerWork, // as in #carryOver
      waiting: () => this.#waiting(),
      deliver: (owner, arrivals) => {
        const answers = takeIn(this.#rows, owner, arrivals, Date.now());
        this.#arm(Date.now() + HAND_OVER_GUARD_MS, Date.now());
        return answers.filter(({ status, duplicate }) => status === "pending" && !duplicate).length;
      },
      begin: (count) => this.#begin(count),
      arm: (at) => this.#arm(at, Date.now()),
      log: (event, fault) => this.#log(event, fault),
    });
  }

  async take(terms: TriggerTerms, arrivals: readonly Arrival[]): Promise<Result<readonly Answered[]>> {
    const now = Date.now();
    const { fullAt, retryAfterS } = takeRate(this.#rateFullAt, terms, arrivals.length, now);
    if (retryAfterS !== null) return refuse(rateRefusal(terms, retryAfterS));
    const isNew = arrivals.some(({ identity }) => this.#rows.byIdentity(identity) === null);
    const full = isNew ? roomRefusal(this.#waiting(), terms) : null;
    if (full !== null) return refuse(full);
    const answers = this.#rows.atomically(() => {
      const taken = takeIn(this.#rows, terms, arrivals, now);
      if (isNew) this.#arm(now + HAND_OVER_GUARD_MS, now);
      return taken;
    });
    this.#rateFullAt = fullAt;
    this.#begin(answers.filter(({ status, duplicate }) => status === "pending" && !duplicate).length);
    return accept(answers);
  }

  async replay(_terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<Taken>[]> {
    const now = Date.now();
    const answers = this.#rows.atomically(() => {
      const taken = items.map((item) => takeInAgain(this.#rows, item, now));
      this.#arm(now + HAND_OVER_GUARD_MS, now);
      return taken;
    });
    this.#begin(answers.filter((each) => each.ok && each.value.status === "pending").length);
    return answers;
  }

  async list(query: DeliveryQuery): Promise<readonly Delivery[]> {
    const { status, deliveryId, before, limit, oldestFirst } = query;
    if (oldestFirst && status !== null) return this.#rows.oldest(status, limit).map(deliveryOf);
    if (deliveryId !== null) {
      const known = this.#rows.byIdentity(`=${deliveryId}`);
      const row = known && this.#rows.bySeq(known.seq);
      return row !== null && (status === null || takenOf(row).status === status) ? [deliveryOf(row)] : [];
    }
    const from = (before === null ? null : numberOf(before)) ?? Number.MAX_SAFE_INTEGER;
    return this.#rows.list(status, from, limit).map(deliveryOf);
  }

  async read(id: string): Promise<Delivery | null> {
    const seq = numberOf(id);
    const row = seq === null ? null : this.#rows.bySeq(seq);
    return row && deliveryOf(row);
  }

  async view(terms?: PollerTerms): Promise<TriggerView> {
    const { stuck } = this.#rows.counts();
    const poller = terms === undefined ? this.#poller.view() : this.#poller.tell(terms);
    return { pending: this.#pending, stuck, lastAt: this.#rows.lastSeq()?.at ?? null, poller };
  }

  async tellPoll(terms: PollerTerms): Promise<PollerView> {
    return this.#poller.tell(terms);
  }

  async pollNow(terms: PollerTerms): Promise<PollerView> {
    return this.#poller.now(terms);
  }

  previewPoll(terms: PollerTerms): Promise<PollPreview> {
    return this.#poller.preview(terms);
  }

  async forget(): Promise<void> {
    // What can still be handed over is.
    await this.#handOver().catch((fault: unknown) => this.#log("not_handed_over", fault));
    await this.#rows.reset();
    this.#polls.gone();
    this.#pending = 0;
    this.#armedAt = null;
  }

  override async alarm(): Promise<void> {
    // Never throw out of here: after six retries the platform forgets the alarm.
    this.#armedAt = null;
    try {
      await this.#handOver();
      await this.#poller.run();
      const againAt = await this.#tellNews();
      const isTidy = tidy(this.#rows, Date.now());
      await this.#armNext(isTidy, againAt);
    } catch (fault) {
      this.#log("trigger_alarm_failed", fault);
      await this.ctx.storage.setAlarm(Date.now() + HAND_OVER_GUARD_MS);
    }
  }

  /** What was taken is safe: should this come to nothing, the alarm goes on with it. */
  #begin(count: number): void {
    this.#pending += count;
    if (count > 0) this.ctx.waitUntil(this.#handOver().catch((fault: unknown) => this.#log("not_handed_over", fault)));
  }

  /** One slice after the other: what came first arrives first. */
  async #handOver(): Promise<void> {
    const owner = this.#rows.owner();
    if (owner === null || this.#isHandingOver) return;
    this.#isHandingOver = true;
    try {
      for (let slices = 0; slices < HAND_OVERS_PER_ALARM; slices++) {
        const due = this.#rows.due(Date.now(), DELIVERIES_AT_ONCE);
        if (due.length === 0) return;
        this.#settle(due, await this.#carryOver(owner, due));
      }
      this.#arm(Date.now() + 1, Date.now());
    } finally {
      this.#isHandingOver = false;
    }
  }

  async #carryOver(owner: Owner, due: readonly Due[]): Promise<readonly HandedOver[]> {
    const { TriggerWork } = this.ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
    try {
      return await TriggerWork.handOver(
        owner,
        due.map(({ effect }) => effect),
      );
    } catch (fault) {
      this.#log("not_handed_over", fault);
      return [];
    }
  }

  #settle(due: readonly Due[], came: readonly HandedOver[]): void {
    const now = Date.now();
    const nexts = due.map((each, n) => afterHandOver(came[n] ?? unreached, each, now));
    this.#rows.atomically(() => {
      const counts = this.#rows.counts();
      let { stuck, bytes } = counts;
      for (const [n, { seq }] of due.entries()) {
        const next = nexts[n];
        if (next?.kind === "again") this.#rows.putOff(seq, next.at, next.tries);
        else this.#rows.arrived(seq);
        if (next?.kind !== "failed") continue;
        bytes += this.#rows.fail(seq, next.reason);
        stuck += 1;
        this.#log("delivery_failed", next.reason.message, `trd_${seq}`);
      }
      if (stuck !== counts.stuck) this.#rows.setCounts({ ...counts, stuck, bytes });
      const again = nexts.flatMap((next) => (next.kind === "again" ? [next.at] : []));
      if (again.length > 0) this.#arm(Math.min(...again), now);
    });
    this.#pending -= nexts.filter(({ kind }) => kind !== "again").length;
  }

  /** What people should hear of. With the alarm, which follows each delivery and each poll within seconds. When again. */
  async #tellNews(): Promise<number> {
    const owner = this.#rows.owner() ?? this.#polls.owner();
    if (owner === null || this.#isTelling) return Infinity;
    const now = Date.now();
    const told = this.ctx.storage.kv.get<TriggerTold>(TOLD) ?? nothingTold;
    const next = newsOf({ stuck: this.#rows.counts().stuck, poller: this.#poller.view() }, told, now);
    if (next.told === told) return Infinity;
    this.#isTelling = true;
    try {
      const { TriggerWork } = this.ctx.exports as unknown as Loopback; // as in #carryOver
      if (next.news.length > 0) await TriggerWork.tellNews(owner, next.news);
      this.ctx.storage.kv.put(TOLD, next.told);
      return Infinity;
    } catch (fault) {
      this.#log("trigger_news_not_told", fault);
      return now + TELL_NEWS_AGAIN_MS;
    } finally {
      this.#isTelling = false;
    }
  }

  /** Exactly: what was armed for the time of its work would wake it for nothing, and be set anew then. */
  async #armNext(isTidy: boolean, againAt: number): Promise<void> {
    const now = Date.now();
    const { next } = this.#rows.pendingState();
    const firstAt = this.#rows.firstAt();
    // With nothing left there is nothing to wake for, and nothing to keep.
    if (firstAt === null && !this.#poller.isPolling()) return this.forget();
    const purgeAt = firstAt === null ? Infinity : isTidy ? firstAt + DELIVERY_KEPT_MS : now;
    // Whoever is handing over just now goes on with what is due.
    const dueAt = next !== null && this.#isHandingOver ? Math.max(next, now + HAND_OVER_GUARD_MS) : next;
    const at = Math.max(Math.min(dueAt ?? purgeAt, purgeAt, this.#poller.wakeAt() ?? Infinity, againAt), now + 1);
    if (!Number.isFinite(at) || at === this.#armedAt) return;
    this.#armedAt = null;
    this.#arm(at, now);
  }

  #waiting(): Waiting {
    const { stuck, bytes: stuckBytes } = this.#rows.counts();
    return { pending: this.#pending, stuck, stuckBytes };
  }

  /** Moved earlier only: a spare alarm costs less than a row. */
  #arm(at: number, now: number): void {
    if (this.#armedAt !== null && this.#armedAt > now && this.#armedAt <= at) return;
    this.#armedAt = at;
    this.ctx.storage.setAlarm(at).catch((fault: unknown) => this.#log("alarm_not_set", fault));
  }

  #log(event: string, fault: unknown, delivery: string | null = null): void {
    const trigger = this.#rows.owner() ?? this.ctx.id.name;
    console.error(JSON.stringify({ level: "error", event, trigger, delivery, message: String(fault) }));
  }
}

const unreached: HandedOver = {
  kind: "later",
  reason: { code: "unavailable", message: "it could not be handed over to its execution" },
};
