// Triggers and deliveries as the API says them.
import type { Answered, Delivery, Taken, TriggerView } from "#schema/inbound/delivery.ts";
import type { TriggerSettings, TriggerStanding } from "#schema/inbound/trigger.ts";
import type { TriggerKind } from "#schema/inbound/started-by.ts";
import { toInstant } from "#schema/values.ts";
import type {
  ApiDelivery,
  ApiDeliverySummary,
  ApiReceivedHook,
  ApiReplayedDeliveries,
  ApiTakenDelivery,
  ApiTrigger,
  ApiTriggerInUse,
  ApiTriggerWithAddress,
} from "./shape.ts";

type View = {
  readonly id: string;
  readonly name: string;
  readonly kind: TriggerKind;
  readonly namespace: string;
  readonly labels: { readonly [label: string]: string };
  readonly standing: TriggerStanding;
  readonly settings: TriggerSettings;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentTrigger(view: View): ApiTrigger {
  const { id, name, namespace, labels, settings, standing, createdAt, updatedAt } = view;
  const { disabled, token, previousSecret } = standing;
  return {
    ...{ id, name, kind: "webhook", namespace, labels: { ...labels }, ...settings },
    enabled: disabled === null,
    disabled: disabled && { at: toInstant(disabled.at), reason: disabled.reason },
    tokenGeneration: token.generation,
    previousTokenUntil: token.previousUntil === 0 ? null : toInstant(token.previousUntil),
    previousSecret: previousSecret && { name: previousSecret.name, until: toInstant(previousSecret.until) },
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
  };
}

export function presentWithAddress(view: View, url: string): ApiTriggerWithAddress {
  return { ...presentTrigger(view), url };
}

export function presentTriggerInUse({
  state,
  ...view
}: View & { readonly state: TriggerView | null }): ApiTriggerInUse {
  const { pending, stuck, lastAt } = state ?? { pending: 0, stuck: 0, lastAt: null };
  const shown = { pending, stuck, lastDeliveryAt: toInstant(lastAt) };
  return { ...presentTrigger(view), state: state === null ? null : shown };
}

export function presentTaken({ id, deliveryId, status, execution, event, reason }: Taken): ApiTakenDelivery {
  return { id, deliveryId, status, execution, event, reason };
}

export function presentReceived(deliveries: readonly Answered[]): ApiReceivedHook {
  return { deliveries: deliveries.map((each) => ({ ...presentTaken(each), duplicate: each.duplicate })) };
}

export function presentSummary(delivery: Delivery): ApiDeliverySummary {
  const { receivedAt, tries, nextTryAt } = delivery;
  return {
    ...presentTaken(delivery),
    receivedAt: toInstant(receivedAt),
    tries,
    nextTryAt: toInstant(nextTryAt),
  };
}

export function presentDelivery(delivery: Delivery): ApiDelivery {
  const { request } = delivery;
  return { ...presentSummary(delivery), request: request && { ...request } };
}

type Replayed = { readonly deliveries: readonly Taken[]; readonly more: boolean };

export function presentReplayed({ deliveries, more }: Replayed): ApiReplayedDeliveries {
  return { deliveries: deliveries.map(presentTaken), more };
}
