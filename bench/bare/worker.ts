// What an object can do at best: executions share sixteen of them, whatever arrives within a millisecond is one commit, a
// step changes two small columns. No definition, no history, no list, timers that go with the process; a retry is a second call.
import { DurableObject } from "cloudflare:workers";

type Asked = {
  readonly ref: string;
  readonly url: string;
  readonly actions: readonly string[];
  readonly retryMs: number;
  readonly attempts: number;
  /** Due at this instant instead of at once. */
  readonly dueAt?: number;
};
type Env = { readonly CELLS: DurableObjectNamespace<Cell> };

const CELLS = 16;
const GROUP_MS = 1;

export class Cell extends DurableObject<Env> {
  /** What is asleep, by its instant. The one alarm is set to the earliest of them. */
  readonly #asleep = new Map<number, Asked[]>();
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
    if (asked.dueAt === undefined) void this.#carryOut(asked);
    else await this.#sleep(asked, asked.dueAt);
  }

  async #sleep(asked: Asked, dueAt: number): Promise<void> {
    const together = this.#asleep.get(dueAt);
    if (together !== undefined) return void together.push(asked);
    this.#asleep.set(dueAt, [asked]);
    if (dueAt <= Math.min(...this.#asleep.keys())) await this.ctx.storage.setAlarm(dueAt);
  }

  override async alarm(): Promise<void> {
    const firedAt = Date.now();
    for (const [dueAt, together] of this.#asleep) {
      if (dueAt > firedAt) continue;
      this.#asleep.delete(dueAt);
      for (const asked of together) void this.#carryOut(asked, { firedAt });
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

  /** Together with whatever else comes within the same millisecond. */
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
    const asked = await request.json<Asked>();
    const cell = [...asked.ref].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % CELLS;
    await env.CELLS.getByName(`cell-${cell}`).start(asked);
    return Response.json({ started: asked.ref }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
