// Durable Object of one recurring action: binds its controller to the platform.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";
import { RECURRING_CALL_MS } from "#schema/limits/recurring-actions.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type {
  OccurrencePage,
  Recurring,
  RecurringAnswer,
  RecurringRequest,
  RecurringProjection,
  RecurringTerms,
  RecurringView,
  RecurringWorkPort,
} from "#schema/recurring/calls.ts";
import type { Result } from "#schema/refusal.ts";
import { hostObject, type Hosted } from "#objects/host/hosted-object.ts";
import { RecurringController } from "./controller.ts";
import { recurringStorage } from "./storage.ts";

type Entrypoints = { readonly RecurringWork: RecurringWorkPort };

export class RecurringObject extends DurableObject<Env> implements Recurring {
  readonly #hosted: Hosted<RecurringController>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hosted = hostObject<Entrypoints, RecurringController>(
      ctx,
      { object: "recurring", levels: env.LOG_LEVELS },
      RECURRING_CALL_MS,
      ({ platform, store, worker }) =>
        new RecurringController({
          platform,
          storage: recurringStorage(store),
          isOff: () => env.ENABLE_RECURRING_ACTIONS === "false",
          work: () => worker().RecurringWork,
          notify: (news) => this.#notify(news),
        }),
    );
  }

  open(terms: RecurringTerms): Promise<Result<RecurringAnswer>> {
    return this.#hosted.controller().open(terms);
  }

  control(request: RecurringRequest): Promise<Result<RecurringAnswer>> {
    return this.#hosted.controller().control(request);
  }

  read(): Promise<RecurringView | null> {
    return this.#hosted.controller().read();
  }

  history(limit: number, before: readonly [number, string] | null): Promise<OccurrencePage | null> {
    return this.#hosted.controller().history(limit, before);
  }

  poke(terms: RecurringTerms): Promise<RecurringView> {
    return this.#hosted.controller().poke(terms);
  }

  drop(): Promise<void> {
    return this.#hosted.controller().drop();
  }

  override alarm(): Promise<void> {
    return this.#hosted.alarm();
  }

  /** The API limits the size of a recurring action, so a row that exceeds a message is a bug. */
  async #notify({ row, audit }: RecurringProjection): Promise<void> {
    const rows = { executions: [], runs: [], audit: audit === null ? [] : [audit], recurring: [row] };
    const message: ProjectionMessage = { v: 1, ...rows };
    if (bytesOf(message) > QUEUE_MESSAGE_BYTES_MAX) throw new Error("the row is larger than the queue's message limit");
    await this.env.PROJECTIONS.send(message);
  }
}

function bytesOf(message: ProjectionMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).byteLength;
}
