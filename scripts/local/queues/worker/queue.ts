// Local queue: stores messages on disk until the consumer acknowledges them. If the process is killed, the next one
// delivers them again. Miniflare's own queues keep messages in memory and deliver one batch at a time.
import { DurableObject } from "cloudflare:workers";
import { nextBatchAt, type ConsumerSettings } from "../pace.ts";
import type { Delivery, DeliveryResult, QueueConsumer } from "./consumer.ts";

export type QueueEnv = {
  readonly LOCAL_QUEUES: DurableObjectNamespace<LocalQueue>;
  /** The consumer settings as JSON, by queue name. */
  readonly LOCAL_CONSUMERS: string;
};

type Consumer = Service<typeof QueueConsumer>;
type Stored = { readonly n: number; readonly at: number; readonly body: string; readonly attempts: number };

/** The alarm's interval. The alarm delivers messages that a killed process left behind. */
const GUARD_MS = 2_000;
/** Seconds until a batch is delivered again if its consumer's result was lost. */
const LOST_AGAIN_S = 1;

export class LocalQueue extends DurableObject<QueueEnv> {
  readonly #sql: SqlStorage;
  readonly #consumer: Consumer;
  readonly #settings: ConsumerSettings | undefined;
  readonly #begun = new Set<{ readonly at: number }>();
  #waiting: Stored[];
  #isGuarded = false;
  #timer: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | null = null;

  constructor(ctx: DurableObjectState, env: QueueEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#consumer = (ctx.exports as unknown as { readonly QueueConsumer: Consumer }).QueueConsumer; // consumer.ts exports it
    const consumers: { readonly [queue: string]: ConsumerSettings } = JSON.parse(env.LOCAL_CONSUMERS);
    this.#settings = consumers[this.#name];
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS messages (n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER, body TEXT, attempts INTEGER)",
    );
    // The runtime keeps this object in memory, so stored rows come from an earlier process, which may have started to
    // deliver them.
    this.#sql.exec("UPDATE messages SET attempts = attempts + 1");
    this.#waiting = this.#sql.exec<Stored>("SELECT n, at, body, attempts FROM messages ORDER BY n").toArray();
  }

  get #name(): string {
    return this.ctx.id.name ?? "";
  }

  /** Stores the messages. Resolves when they are on disk. */
  async accept(bodies: readonly string[], delayS: number): Promise<void> {
    if (this.#settings === undefined) throw new Error(`The queue ${this.#name} has no consumer.`);
    const at = Date.now();
    const insert = "INSERT INTO messages (at, body, attempts) VALUES (?, ?, 1) RETURNING n, at, body, attempts";
    const stored = bodies.map((body) => this.#sql.exec<Stored>(insert, at, body).one());
    this.#guard();
    if (delayS > 0) this.#returnLater(stored, delayS);
    else this.#waiting.push(...stored);
    this.#pump();
  }

  async metrics(): Promise<{ backlogCount: number; backlogBytes: number; oldestMessageTimestamp?: Date }> {
    const [oldest] = this.#waiting;
    const backlogBytes = this.#waiting.reduce((sum, { body }) => sum + body.length, 0);
    const since = oldest === undefined ? {} : { oldestMessageTimestamp: new Date(oldest.at) };
    return { backlogCount: this.#waiting.length, backlogBytes, ...since };
  }

  override async alarm(): Promise<void> {
    this.#isGuarded = false;
    if (this.#sql.exec("SELECT 1 FROM messages LIMIT 1").toArray().length > 0) this.#guard();
    this.#pump();
  }

  #guard(): void {
    if (this.#isGuarded) return;
    this.#isGuarded = true;
    void this.ctx.storage.setAlarm(Date.now() + GUARD_MS);
  }

  /** Starts the batches that are due, and sets a timer for the next one. */
  #pump(): void {
    if (this.#settings === undefined) return;
    for (;;) {
      const oldestAt = this.#waiting[0]?.at ?? 0;
      const begun = [...this.#begun].map(({ at }) => at);
      const at = nextBatchAt({ count: this.#waiting.length, oldestAt, begun }, this.#settings);
      if (at === null) return;
      if (at > Date.now()) return this.#pumpAt(at);
      this.ctx.waitUntil(this.#deliver(this.#waiting.splice(0, this.#settings.maxBatchSize), this.#settings));
    }
  }

  #pumpAt(at: number): void {
    if (this.#timer !== null && this.#timer.at <= at) return;
    if (this.#timer !== null) clearTimeout(this.#timer.id);
    const ring = (): void => {
      this.#timer = null;
      this.#pump();
    };
    this.#timer = { at, id: setTimeout(ring, at - Date.now()) };
  }

  async #deliver(batch: readonly Stored[], settings: ConsumerSettings): Promise<void> {
    const began = { at: Date.now() };
    this.#begun.add(began);
    try {
      await this.#settle(batch, await this.#consume(batch), settings);
    } finally {
      this.#begun.delete(began);
      this.#pump();
    }
  }

  async #consume(batch: readonly Stored[]): Promise<readonly DeliveryResult[]> {
    const named = batch.map(({ n, ...message }): Delivery => ({ id: `${this.#name}/${n}`, ...message }));
    try {
      return await this.#consumer.deliver(this.#name, named);
    } catch (fault) {
      console.error(`a batch of ${this.#name} was lost:`, String(fault));
      return batch.map(() => LOST_AGAIN_S);
    }
  }

  async #settle(
    batch: readonly Stored[],
    endings: readonly DeliveryResult[],
    settings: ConsumerSettings,
  ): Promise<void> {
    this.#remove(batch.filter((_, at) => endings[at] === "done"));
    const over: Stored[] = [];
    for (const [at, message] of batch.entries()) {
      const delayS = endings[at];
      if (delayS === "done") continue;
      const attempts = message.attempts + 1;
      if (message.attempts > settings.maxRetries) over.push(message);
      else {
        this.#sql.exec("UPDATE messages SET attempts = ? WHERE n = ?", attempts, message.n);
        this.#returnLater([{ ...message, attempts }], delayS ?? LOST_AGAIN_S);
      }
    }
    await this.#giveUp(over, settings);
  }

  #returnLater(messages: readonly Stored[], delayS: number): void {
    setTimeout(() => {
      this.#waiting.push(...messages);
      this.#pump();
    }, delayS * 1_000);
  }

  async #giveUp(messages: readonly Stored[], { deadLetterQueue: dead }: ConsumerSettings): Promise<void> {
    if (messages.length === 0) return;
    const bodies = messages.map(({ body }) => body);
    if (dead === undefined) console.error(`${messages.length} messages of ${this.#name} are dropped`);
    else await this.env.LOCAL_QUEUES.getByName(dead).accept(bodies, 0);
    this.#remove(messages);
  }

  #remove(messages: readonly Stored[]): void {
    if (messages.length === 0) return;
    const all = JSON.stringify(messages.map(({ n }) => n));
    this.#sql.exec("DELETE FROM messages WHERE n IN (SELECT value FROM json_each(?))", all);
  }
}
