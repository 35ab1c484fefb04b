// RPC entrypoint of triggers: delivers effects to executions, polls providers and raises alerts. A trigger's object
// calls it, because the object itself can do none of these.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { Arrival, Effect, DeliveryOutcome, DeliveryPort } from "#schema/inbound/delivery.ts";
import type { TriggerAlert, TriggerAlertPort } from "#schema/inbound/trigger-alert.ts";
import type { PollRequest, PollResult, UndeliveredItem, PollPort } from "#schema/inbound/polling.ts";
import { raiseTriggerAlerts } from "#services/alerts/raise-alerts.ts";
import { deliverEffects, type EffectSource } from "#services/triggers/deliver-effects.ts";
import { mapItems, pollPage } from "#services/triggers/poll-page.ts";
import { depsOf } from "./deps.ts";
import { readWithEnv } from "./runner.ts";

export class TriggerWork extends WorkerEntrypoint<Env> implements DeliveryPort, PollPort, TriggerAlertPort {
  deliver(of: EffectSource, effects: readonly Effect[]): Promise<readonly DeliveryOutcome[]> {
    return deliverEffects(depsOf(this.env), of, effects);
  }

  poll(of: EffectSource, ask: PollRequest): Promise<PollResult> {
    return pollPage(depsOf(this.env), of, ask, (ticket) => readWithEnv(ticket, this.env));
  }

  mapItems(of: EffectSource, items: readonly UndeliveredItem[]): Promise<readonly Arrival[] | null> {
    return mapItems(depsOf(this.env), of, items);
  }
  sendAlerts(of: EffectSource, news: readonly TriggerAlert[]): Promise<void> {
    return raiseTriggerAlerts(depsOf(this.env), of, news);
  }
}
