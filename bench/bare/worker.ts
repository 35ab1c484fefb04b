// Bare object: the least work that a pooled execution could need. Sixteen objects group the commits of a millisecond,
// and a step updates two small columns. It has no definition, history or list; sleeping executions are kept in memory
// only.
import { DurableObject } from "cloudflare:workers";

type Asked = {
  readonly ref: string;
  readonly url: string;
  /** Names of the actions, in order. Empty: the execution only sleeps. */
  readonly actions: readonly string[];
  readonly retryMs: number;
  readonly attempts: number;
  readonly sleepMs: number;
  /** When the execution is due, in milliseconds since 1970. Absent: it starts at once. */
  readonly dueAt?: number;
};
type Sleeping = { readonly asked: Asked; readonly startedAt: number };
type Env = { readonly CELLS: DurableObjectNamespace<Cell> };

const CELLS = 16;
const GROUP_MS = 1;

/**
 * The timers that have fired in this isolate. The bench reads them with GET after the measurement, so recording adds no
 * cost.
 */
const firings: { readonly startedAt: number; readonly firedAt: number }[] = [];

export class Cell extends DurableObject<Env> {
  /** Sleeping executions by due time. The object's one alarm is set to the earliest due time. */
  readonly #asleep = new Map<number, Sleeping[]>();
  #waiting: { readonly write: () => void; readonly done: () => void }[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS runs (ref TEXT PRIMARY KEY, step INTEGER NOT NULL, attempt INTEGER NOT NULL, asked TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  async start(asked: Asked): Promise<void> {
    const { sql } = this.ctx.storage;
    await this.#commit(() => {
      sql.exec("INSERT INTO runs VALUES (?, 0, 1, ?) ON CONFLICT DO NOTHING", asked.ref, JSON.stringify(asked));
    });
    const startedAt = Date.now();
    if (asked.dueAt !== undefined) await this.#sleep({ asked, startedAt }, asked.dueAt);
    else if (asked.sleepMs > 0) await this.#sleep({ asked, startedAt }, startedAt + asked.sleepMs);
    else void this.#carryOut(asked);
  }

  async #sleep(sleeping: Sleeping, dueAt: number): Promise<void> {
    const together = this.#asleep.get(dueAt);
    if (together !== undefined) return void together.push(sleeping);
    this.#asleep.set(dueAt, [sleeping]);
    if (dueAt <= Math.min(...this.#asleep.keys())) await this.ctx.storage.setAlarm(dueAt);
  }

  override async alarm(): Promise<void> {
    const firedAt = Date.now();
    for (const [dueAt, together] of this.#asleep) {
      if (dueAt > firedAt) continue;
      this.#asleep.delete(dueAt);
      for (const { asked, startedAt } of together) {
        if (asked.actions.length > 0) void this.#carryOut(asked, { firedAt });
        else void this.#end(asked).then(() => firings.push({ startedAt, firedAt }));
      }
    }
    if (this.#asleep.size > 0) await this.ctx.storage.setAlarm(Math.min(...this.#asleep.keys()));
  }

  async #carryOut({ ref, url, actions, retryMs, attempts }: Asked, fired = {}): Promise<void> {
    const { sql } = this.ctx.storage;
    const headers = { "Content-Type": "application/json" };
    for (let step = 0; step < actions.length; step += 1) {
      const key = { "Idempotency-Key": `${ref}/${step}` };
      const body = JSON.stringify({ ref, action: actions[step], ...fired });
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const response = await fetch(url, { method: "POST", headers: { ...headers, ...key }, body });
        await response.text();
        const next = response.ok ? [step + 1, 1] : [step, attempt + 1];
        await this.#commit(() => void sql.exec("UPDATE runs SET step = ?, attempt = ? WHERE ref = ?", ...next, ref));
        if (response.ok) break;
        await scheduler.wait(retryMs);
      }
    }
  }

  async #end({ ref }: Asked): Promise<void> {
    await this.#commit(() => void this.ctx.storage.sql.exec("UPDATE runs SET step = 1 WHERE ref = ?", ref));
  }

  /** Commits `write` together with all other writes of the same millisecond. */
  #commit(write: () => void): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ write, done });
      if (this.#waiting.length === 1) setTimeout(() => void this.#flush(), GROUP_MS);
    });
  }

  async #flush(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    this.ctx.storage.transactionSync(() => {
      for (const { write } of group) write();
    });
    await this.ctx.storage.sync();
    for (const { done } of group) done();
  }
}

export default {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json(firings);
    const asked = await request.json<Asked>();
    const cell = [...asked.ref].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % CELLS;
    await env.CELLS.getByName(`cell-${cell}`).start(asked);
    return Response.json({ started: asked.ref }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
