// Durable Object of one trigger: binds its controller to the platform.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  DeliveryAnswer,
  Arrival,
  Delivery,
  DeliveryQuery,
  DeliveryPort,
  PollerTerms,
  ReplayItem,
  AcceptedDelivery,
  RefusedSender,
  TriggerPort,
  TriggerTerms,
  TriggerView,
} from "#schema/inbound/delivery.ts";
import type { TriggerAlertPort } from "#schema/inbound/trigger-alert.ts";
import type { PollerView, PollPort, PollPreview } from "#schema/inbound/polling.ts";
import type { EventReport } from "#schema/directory/calls.ts";
import { OBJECT_CALL_MS } from "#schema/limits/alarms.ts";
import type { Result } from "#schema/refusal.ts";
import { hostObject, type Hosted } from "#objects/host/hosted-object.ts";
import { TriggerController } from "./controller.ts";
import { triggerStorage } from "./storage.ts";

type Entrypoints = { readonly TriggerWork: DeliveryPort & PollPort & TriggerAlertPort };

export class TriggerObject extends DurableObject<Env> implements TriggerPort {
  readonly #hosted: Hosted<TriggerController>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hosted = hostObject<Entrypoints, TriggerController>(
      ctx,
      { object: "trigger", levels: env.LOG_LEVELS },
      OBJECT_CALL_MS,
      ({ platform, store, worker }) =>
        new TriggerController({ platform, storage: triggerStorage(store), work: () => worker().TriggerWork }),
    );
  }

  async receiveDeliveries(
    terms: TriggerTerms,
    arrivals: readonly Arrival[],
  ): Promise<Result<readonly DeliveryAnswer[]>> {
    return this.#hosted.controller().receiveDeliveries(terms, arrivals);
  }

  async replay(terms: TriggerTerms, items: readonly ReplayItem[]): Promise<readonly Result<AcceptedDelivery>[]> {
    return this.#hosted.controller().replay(terms, items);
  }

  async recordReport(report: EventReport): Promise<void> {
    return this.#hosted.controller().recordReport(report);
  }

  async recordRefusal(refused: RefusedSender): Promise<void> {
    return this.#hosted.controller().recordRefusal(refused);
  }

  async list(query: DeliveryQuery): Promise<readonly Delivery[]> {
    return this.#hosted.controller().list(query);
  }

  async read(id: string): Promise<Delivery | null> {
    return this.#hosted.controller().read(id);
  }

  async view(terms?: PollerTerms): Promise<TriggerView> {
    return this.#hosted.controller().view(terms);
  }

  async updatePoller(terms: PollerTerms): Promise<PollerView> {
    return this.#hosted.controller().updatePoller(terms);
  }

  async pollNow(terms: PollerTerms): Promise<PollerView> {
    return this.#hosted.controller().pollNow(terms);
  }

  async previewPoll(terms: PollerTerms): Promise<PollPreview> {
    return this.#hosted.controller().previewPoll(terms);
  }

  async forget(): Promise<void> {
    return this.#hosted.controller().forget();
  }

  override alarm(): Promise<void> {
    return this.#hosted.alarm();
  }
}
