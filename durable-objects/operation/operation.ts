// Durable Object of one operation over dead letters, a list of subjects, or executions: binds its controller to the
// platform.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  AbortRequest,
  OpenedOperation,
  Operation,
  OperationRequest,
  OperationView,
  OperationWorkPort,
} from "#schema/operation.ts";
import { OBJECT_CALL_MS } from "#schema/limits/alarms.ts";
import type { Result } from "#schema/refusal.ts";
import type { AppendAnswer, NumberedLine, Part, LineFailurePage } from "#schema/subject/enrolling.ts";
import { hostObject, type Hosted } from "#objects/host/hosted-object.ts";
import { OperationController } from "./controller.ts";
import { operationStorage } from "./storage.ts";

type Entrypoints = { readonly OperationWork: OperationWorkPort };

export class OperationObject extends DurableObject<Env> implements Operation {
  readonly #hosted: Hosted<OperationController>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hosted = hostObject<Entrypoints, OperationController>(
      ctx,
      { object: "operation", levels: env.LOG_LEVELS },
      OBJECT_CALL_MS,
      ({ platform, store, worker }) =>
        new OperationController({ platform, storage: operationStorage(store), work: () => worker().OperationWork }),
    );
  }

  async open(terms: OperationRequest): Promise<Result<OpenedOperation>> {
    return this.#hosted.controller().open(terms);
  }

  async read(): Promise<OperationView | null> {
    return this.#hosted.controller().read();
  }

  async abort(ask: AbortRequest): Promise<Result<OpenedOperation>> {
    return this.#hosted.controller().abort(ask);
  }

  async append(part: Part): Promise<Result<AppendAnswer>> {
    return this.#hosted.controller().append(part);
  }

  async start(): Promise<Result<OpenedOperation>> {
    return this.#hosted.controller().start();
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#hosted.controller().sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<LineFailurePage> {
    return this.#hosted.controller().troubles(after, limit);
  }

  override alarm(): Promise<void> {
    return this.#hosted.alarm();
  }
}
