// A recurring action's object: one for each, with one alarm at its next occurrence. It binds the keeper to the platform
// and decides nothing; the Worker's entrypoint does what needs the catalog.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { ALARM_HOP_MS_MAX } from "#schema/limits/objects.ts";
import { RECURRING_CALL_MS } from "#schema/limits/recurring.ts";
import { QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type {
  OccurrencePage,
  Recurring,
  RecurringAnswer,
  RecurringAsk,
  RecurringNews,
  RecurringTerms,
  RecurringView,
  RecurringWorkPort,
} from "#schema/recurring/calls.ts";
import type { Result } from "#schema/refusal.ts";
import { Keeper } from "./keeper.ts";
import { recurringStorage } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly RecurringWork: RecurringWorkPort };

export class RecurringObject extends DurableObject<Env> implements Recurring {
  readonly #keeper: Keeper;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const arm = (at: number): void => this.#arm(at);
    this.#keeper = new Keeper({
      storage: recurringStorage(ctx.storage, arm),
      now: () => Date.now(),
      isOff: () => env.ENABLE_RECURRING_ACTIONS === "false",
      work: () => (ctx.exports as unknown as Loopback).RecurringWork, // typed by the Worker's main module, which this room may not import
      within: answeredWithin,
      tell: (news) => this.#tell(news),
      arm,
      log: (line) => console.log(JSON.stringify(line)),
    });
  }

  open(terms: RecurringTerms): Promise<Result<RecurringAnswer>> {
    return this.#keeper.open(terms);
  }

  ask(asked: RecurringAsk): Promise<Result<RecurringAnswer>> {
    return this.#keeper.ask(asked);
  }

  read(): Promise<RecurringView | null> {
    return this.#keeper.read();
  }

  history(limit: number, before: readonly [number, string] | null): Promise<OccurrencePage | null> {
    return this.#keeper.history(limit, before);
  }

  poke(terms: RecurringTerms): Promise<RecurringView> {
    return this.#keeper.poke(terms);
  }

  drop(): Promise<void> {
    return this.#keeper.drop();
  }

  override alarm(): Promise<void> {
    return this.#keeper.ring();
  }

  /** What is further off than the platform keeps is gone to in several. */
  #arm(at: number): void {
    const now = Date.now();
    const instant = Math.min(Math.max(at, now + 1), now + ALARM_HOP_MS_MAX);
    this.ctx.storage.setAlarm(instant).catch((fault: unknown) => {
      const recurring = this.ctx.id.name;
      console.error(JSON.stringify({ level: "error", event: "alarm_not_set", recurring, message: String(fault) }));
    });
  }

  /** What is asked to recur is bounded where it comes in: more than a message holds is our mistake, and not sent. */
  async #tell({ row, audit }: RecurringNews): Promise<void> {
    const told = { executions: [], runs: [], audit: audit === null ? [] : [audit], recurring: [row] };
    const message: ProjectionMessage = { v: 1, ...told };
    if (bytesOf(message) > QUEUE_MESSAGE_BYTES_MAX) throw new Error("the row is larger than a message to the catalog");
    await this.env.PROJECTIONS.send(message);
  }
}

function answeredWithin<T>(call: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const givenUp = () => reject(new Error(`nobody answered within ${RECURRING_CALL_MS} ms`));
    timer = setTimeout(givenUp, RECURRING_CALL_MS);
  });
  return Promise.race([call, silence]).finally(() => clearTimeout(timer));
}

function bytesOf(message: ProjectionMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).byteLength;
}
