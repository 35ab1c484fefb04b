// The operation object: one for each retry-all and archive-all, for each list of subjects to be enrolled, and for each operation over
// executions. What it does is its keeper's; this is where the keeper meets the platform.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  AbortAsk,
  OpenedOperation,
  Operation,
  OperationTerms,
  OperationView,
  OperationWorkPort,
} from "#schema/operation.ts";
import type { Result } from "#schema/refusal.ts";
import type { Appended, NumberedLine, Part, TroublePage } from "#schema/subject/enrolling.ts";
import { OperationKeeper } from "./keeper.ts";
import { listStorage } from "./lists.ts";
import { operationStorage } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly OperationWork: OperationWorkPort };

export class OperationObject extends DurableObject<Env> implements Operation {
  readonly #keeper: OperationKeeper;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const loopback = (): Loopback => ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
    this.#keeper = new OperationKeeper({
      storage: operationStorage(storage),
      lists: listStorage(storage),
      work: {
        list: (...asked) => loopback().OperationWork.list(...asked),
        act: (...asked) => loopback().OperationWork.act(...asked),
        enroll: (...asked) => loopback().OperationWork.enroll(...asked),
        find: (...asked) => loopback().OperationWork.find(...asked),
        steer: (...asked) => loopback().OperationWork.steer(...asked),
        look: (...asked) => loopback().OperationWork.look(...asked),
        close: (...asked) => loopback().OperationWork.close(...asked),
      },
      now: () => Date.now(),
      setAlarm: (at) => storage.setAlarm(at),
      log: (line) => console.error(JSON.stringify({ ...line, operation: ctx.id.name })),
    });
  }

  async open(terms: OperationTerms): Promise<Result<OpenedOperation>> {
    return this.#keeper.open(terms);
  }

  async read(): Promise<OperationView | null> {
    return this.#keeper.read();
  }

  async abort(ask: AbortAsk): Promise<Result<OpenedOperation>> {
    return this.#keeper.abort(ask);
  }

  async append(part: Part): Promise<Result<Appended>> {
    return this.#keeper.append(part);
  }

  async start(): Promise<Result<OpenedOperation>> {
    return this.#keeper.start();
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#keeper.sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<TroublePage> {
    return this.#keeper.troubles(after, limit);
  }

  override async alarm(): Promise<void> {
    return this.#keeper.alarm();
  }
}
