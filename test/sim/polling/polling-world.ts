// One poller in a world with faults: a list that grows while it is read, pages that come twice, short or not at all,
// refused cursors, an object that is evicted around its commits, and clocks that jump.
import { openStore } from "#objects/host/store.ts";
import { TriggerController } from "#objects/trigger/controller.ts";
import { triggerRows, triggerStorage } from "#objects/trigger/storage.ts";
import type { PollerTerms } from "#schema/inbound/delivery.ts";
import type { PollAnswer, PollRequest, PollResult, UndeliveredItem, PollItem } from "#schema/inbound/polling.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { openRough } from "../kit/faulty-network.ts";
import type { Report } from "../kit/seeds.ts";
import { sqliteStorage } from "../kit/sqlite-storage.ts";

const MINUTE_MS = 60_000;
const EVERY_MS = 5 * MINUTE_MS;
const ROUGH_RINGS = 60;
const CALM_RINGS = 60;
/** More than one alarm delivers. */
const NEWEST = 200;
const BEGUN = Date.UTC(2026, 10, 19, 3);

type PollingWorld = {
  /** The items to deliver, and the delivered ones, in order. */
  readonly wanted: readonly string[];
  readonly delivered: readonly string[];
  readonly isOrdered: boolean;
  readonly trace: readonly string[];
};

type Tamper = (sql: SqlStorage) => void;

/** `tamper` corrupts the stored data, to prove that the oracle detects it. */
export async function liveThrough(seed: number, tamper: Tamper = () => {}): Promise<PollingWorld & Report> {
  const world = await new World(chanceOf(`polling/${seed}`), tamper).live();
  return { ...world, findings: findingsOf(world) };
}

class Crash extends Error {}

class World {
  readonly #chance: Chance;
  readonly #tamper: Tamper;
  readonly #disk = sqliteStorage();
  readonly #list: string[] = [];
  readonly #trace: string[] = [];
  /** Deliveries by number and instant, because rows are deleted after seven days. */
  readonly #delivered = new Map<string, string>();
  readonly #terms: PollerTerms;
  readonly #pageSize: number;
  readonly #byOffset: boolean;
  readonly #reorders: boolean;
  #now = BEGUN;
  #isRough = true;
  readonly #rough;
  #alarm: number | null = null;
  #poller: TriggerController;
  #generation = 1;

  constructor(chance: Chance, tamper: Tamper) {
    this.#chance = chance;
    this.#rough = openRough(chance, () => !this.#isRough);
    this.#tamper = tamper;
    const order = chance.pick(["oldest_first", "newest_first"] as const);
    const resume = order === "oldest_first" && chance.yes(0.5) ? "cursor" : "start";
    const from = chance.pick(["now", "all"] as const);
    this.#pageSize = chance.between(1, 4);
    this.#byOffset = chance.yes(0.5);
    this.#reorders = chance.yes(0.25);
    const poll = { generation: 1, epoch: 0, isEnabled: true, everyMs: EVERY_MS, reading: "a list" };
    this.#terms = {
      tenant: "acme",
      trigger: "trg_1",
      kind: "poller",
      poll: { ...poll, order, change: "ids", resume, from },
    };
    this.#grow(chance.between(0, 6));
    this.#poller = this.#wake();
  }

  async live(): Promise<PollingWorld> {
    const { from } = this.#terms.poll;
    if (from === "now") await this.#takeNote();
    const before = this.#list.length;
    await this.#orDies(() => this.#poller.updatePoller(this.#terms));
    for (let ring = 0; ring < ROUGH_RINGS; ring++) await this.#roughRing();
    this.#isRough = false;
    this.#poller = this.#wake();
    await this.#poller.updatePoller({ ...this.#terms, poll: { ...this.#terms.poll, generation: this.#generation } });
    for (let ring = 0; ring < CALM_RINGS; ring++) await this.#ring();
    const delivered = [...this.#delivered.values()];
    const wanted = from === "now" ? this.#list.slice(before) : this.#list;
    // Whether numbered pages shift while they are read, because the list grows at its beginning.
    const isShifting = this.#byOffset && this.#terms.poll.order === "newest_first";
    return { wanted, delivered, isOrdered: !this.#reorders && !isShifting, trace: this.#trace };
  }

  /** Runs the first poll without faults; otherwise the items that exist at its start would be undefined. */
  async #takeNote(): Promise<void> {
    this.#isRough = false;
    await this.#poller.updatePoller(this.#terms);
    await this.#ring();
    while ((await this.#poller.view()).poller?.hasBaseline !== true) await this.#ring();
    this.#isRough = true;
  }

  async #roughRing(): Promise<void> {
    const chance = this.#chance;
    this.#tamper(this.#disk.storage.sql);
    if (chance.yes(0.4)) this.#grow(chance.between(1, 5));
    if (chance.yes(0.1)) this.#now += chance.pick([-30 * MINUTE_MS, 30 * MINUTE_MS, 3 * 24 * 60 * MINUTE_MS]);
    if (chance.yes(0.1)) await this.#orDies(() => this.#poller.pollNow(this.#terms));
    if (chance.yes(0.1)) await this.#change();
    if (chance.yes(0.1)) this.#poller = this.#wake();
    await this.#ring();
  }

  /** Changes the list's name only; responses to earlier requests then do not count. */
  async #change(): Promise<void> {
    this.#generation += 1;
    await this.#orDies(() =>
      this.#poller.updatePoller({ ...this.#terms, poll: { ...this.#terms.poll, generation: this.#generation } }),
    );
  }

  /** Runs a call whose lost response the object must discover itself. */
  async #orDies(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (fault) {
      if (!(fault instanceof Crash)) throw fault;
      this.#trace.push(`${this.#now} did not hear: ${fault.message}`);
    }
  }

  #grow(count: number): void {
    for (let n = 0; n < count; n++) this.#list.push(`i${this.#list.length}`);
  }

  #wake(): TriggerController {
    const me: { controller: TriggerController | null } = { controller: null };
    const isMe = (): boolean => me.controller === null || me.controller === this.#poller;
    const never = new Promise<never>(() => {});
    me.controller = new TriggerController({
      platform: {
        now: () => this.#now,
        setAlarm: (at) => {
          if (isMe()) this.#alarm = at;
        },
        log: ({ event }) => void this.#trace.push(String(event)),
        within: (call) => call,
      },
      storage: triggerStorage(
        openStore({
          ...this.#disk.storage,
          transactionSync: (work) => {
            if (!isMe()) throw new Error("an object that is gone has committed");
            return this.#disk.storage.transactionSync(work);
          },
        }),
      ),
      work: () => ({
        deliver: async (_of, effects) => effects.map(() => ({ kind: "applied" }) as const),
        sendAlerts: async () => {},
        poll: async (_of, ask) => {
          const answer = await this.#answer(ask);
          return isMe() ? answer : never;
        },
        mapItems: async (_of, items) => {
          const arrivals = await this.#map(items);
          return isMe() ? arrivals : never;
        },
      }),
    });
    this.#disk.beforeCommit = () => {
      if (this.#rough.strikes(0.03)) throw new Crash("in a commit");
    };
    return me.controller;
  }

  /** Fires the alarm: it may be late, fire twice, and its object may be evicted while it runs. */
  async #ring(): Promise<void> {
    this.#now = Math.max(this.#now + 1, this.#alarm ?? this.#now);
    this.#alarm = null;
    const isEvicted = this.#isRough && this.#chance.yes(0.05);
    const woken = this.#poller.wake();
    if (isEvicted) {
      for (let turns = this.#chance.between(1, 20); turns > 0; turns--) await Promise.resolve();
      this.#trace.push(`${this.#now} evicted`);
      this.#poller = this.#wake();
      return;
    }
    await woken;
    this.#noteDelivered();
  }

  #noteDelivered(): void {
    const rows = triggerRows(openStore(this.#disk.storage)).list(null, Number.MAX_SAFE_INTEGER, NEWEST);
    for (const { seq, at, deliveryId } of rows.toReversed()) this.#delivered.set(`${seq} ${at}`, deliveryId ?? "");
  }

  async #map(items: readonly UndeliveredItem[]) {
    if (this.#rough.strikes(0.1)) return null;
    if (this.#rough.strikes(0.05)) throw new Error("no answer");
    return items.map(({ deliveryId, body }) => ({
      identity: `=${deliveryId}`,
      request: { method: "GET", query: {}, headers: {}, body, deliveryId, receivedAt: "" },
      mapped: { kind: "ignored" as const },
      sequence: null,
    }));
  }

  async #answer(ask: PollRequest): Promise<PollResult> {
    const chance = this.#chance;
    const terms = { ...this.#terms.poll, generation: this.#generation };
    const answer = this.#page(ask);
    this.#trace.push(`${this.#now} asks ${ask.cursor?.at ?? "first"}: ${said(answer)}`);
    if (!this.#isRough) return { terms, answer };
    // The list grows, and clients change things, while a response is on its way.
    if (chance.yes(0.2)) this.#grow(1);
    if (chance.yes(0.05)) await this.#change();
    if (chance.yes(0.05)) throw new Error("the answer was lost");
    if (chance.yes(0.05)) return { terms: null, answer: failure(false) };
    if (chance.yes(0.1)) return { terms, answer: failure(chance.yes(0.3)) };
    return { terms, answer };
  }

  /** Short, and with some of the page before, as rough providers have it. */
  #page({ cursor }: PollRequest): PollAnswer {
    const { order } = this.#terms.poll;
    const all = order === "oldest_first" ? this.#list : this.#list.toReversed();
    const from = cursor === null ? 0 : this.#byOffset ? Number(cursor.at) : all.indexOf(cursor.at) + 1;
    const isShort = this.#rough.strikes(0.2);
    const ids = all.slice(from, from + (isShort ? 1 : this.#pageSize));
    const isMore = from + ids.length < all.length;
    const last = ids.at(-1) ?? cursor?.at ?? "";
    const next = !isMore ? null : this.#byOffset ? String(from + ids.length) : last;
    const shown = this.#rough.strikes(0.2) ? [...all.slice(Math.max(0, from - 1), from), ...ids] : ids;
    const items = (this.#reorders ? shown.toReversed() : shown).map(itemOf);
    return {
      kind: "page",
      page: {
        items,
        next: next === null ? null : { by: "value", at: next },
        validators: { etag: null, lastModified: null },
      },
    };
  }
}

function itemOf(id: string): PollItem {
  return { id, hash: "", body: { id } };
}

function failure(isFinal: boolean): PollAnswer {
  return { kind: "failed", reason: { code: "service_unavailable", message: "503" }, isFinal, retryAfterMs: null };
}

function findingsOf({ wanted, delivered, isOrdered }: PollingWorld): readonly string[] {
  const findings: string[] = [];
  for (const id of wanted) if (!delivered.includes(id)) findings.push(`${id} was lost`);
  if (new Set(delivered).size !== delivered.length) findings.push("something was delivered twice");
  for (const id of delivered) if (!wanted.includes(id)) findings.push(`${id} was not wanted`);
  if (isOrdered && findings.length === 0 && delivered.join() !== wanted.join())
    findings.push(`out of order: ${delivered.join()}`);
  return findings;
}

function said(answer: PollAnswer): string {
  return answer.kind === "page" ? answer.page.items.map(({ id }) => id).join(" ") : answer.kind;
}
