// Triggers and deliveries as API objects.
import type { PollerView, PollPreview } from "#schema/inbound/polling.ts";
import type { DeliveryAnswer, Arrival, Delivery, AcceptedDelivery, TriggerView } from "#schema/inbound/delivery.ts";
import type { TriggerSettings, TriggerStanding } from "#schema/inbound/trigger.ts";
import type { TriggerKind } from "#schema/inbound/started-by.ts";
import type { Warning } from "#schema/refusal.ts";
import { toInstant } from "#schema/values.ts";
import { presentWarnings } from "../definitions/present.ts";
import type {
  ApiDelivery,
  ApiDeliverySummary,
  ApiPolledTrigger,
  ApiPollerState,
  ApiReceivedHook,
  ApiReplayedDeliveries,
  ApiAcceptedDelivery,
  ApiTrigger,
  ApiTriggerInList,
  ApiTriggerInUse,
  ApiTriggerWithAddress,
  ApiChangedTrigger,
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
  const { id, name, kind, namespace, labels, settings, standing, createdAt, updatedAt } = view;
  const { disabled, token, previousSecret } = standing;
  const { verify, rateLimit, ...common } = settings;
  const own = kind === "webhook" ? { verify, rateLimit } : {};
  return {
    id,
    name,
    kind,
    namespace,
    labels: { ...labels },
    ...common,
    ...own,
    enabled: disabled === null,
    disabled: disabled && { at: toInstant(disabled.at), reason: disabled.reason },
    tokenGeneration: token.generation,
    previousTokenUntil: token.previousUntil === 0 ? null : toInstant(token.previousUntil),
    previousSecret: previousSecret && { name: previousSecret.name, until: toInstant(previousSecret.until) },
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
  };
}

export function presentChangedTrigger({
  warnings,
  ...view
}: View & { readonly warnings: readonly Warning[] }): ApiChangedTrigger {
  return { ...presentTrigger(view), warnings: presentWarnings(warnings) };
}

export function presentWithAddress(
  view: View,
  url: string | null,
  warnings: readonly Warning[] = [],
): ApiTriggerWithAddress {
  return { ...presentTrigger(view), url, warnings: presentWarnings(warnings) };
}

export function presentTriggerInUse({
  state,
  ...view
}: View & { readonly state: TriggerView | null }): ApiTriggerInUse {
  if (state === null) return { ...presentTrigger(view), state };
  const { pending, published = 0, stuck, lastAt, poller = null, refused = null } = state;
  const shown = {
    pending,
    published,
    stuck,
    lastDeliveryAt: toInstant(lastAt),
    lastRefusedSender: refused && { at: toInstant(refused.at), reason: refused.reason },
    poller: poller && presentPoller(poller),
  };
  return { ...presentTrigger(view), state: shown };
}

export function presentTriggerInList({
  state,
  ...view
}: View & { readonly state?: TriggerView | null }): ApiTriggerInList {
  return state === undefined ? presentTrigger(view) : presentTriggerInUse({ ...view, state });
}

function presentPoller({ lastPollAt, nextPollAt, troubleSince = null, ...view }: PollerView): ApiPollerState {
  const instants = { lastPollAt: toInstant(lastPollAt), nextPollAt: toInstant(nextPollAt) };
  return { ...view, ...instants, troubleSince: toInstant(troubleSince) };
}

export function presentPolled({ poller, preview }: Polled): ApiPolledTrigger {
  const shown = preview && {
    answer: preview.answer,
    reason: preview.reason,
    items: preview.items,
    fresh: preview.fresh,
    isBaseline: preview.isBaseline,
    deliveries: preview.arrivals.map(presentArrival),
  };
  return { poller: poller && presentPoller(poller), preview: shown };
}

type Polled = { readonly poller: PollerView | null; readonly preview: PollPreview | null };

function presentArrival({ request, mapped }: Arrival) {
  const { deliveryId, body } = request;
  return {
    deliveryId,
    body,
    status: mapped.kind === "effect" ? ("pending" as const) : mapped.kind,
    reason: mapped.kind === "unmappable" ? mapped.reason : null,
    execution: mapped.kind === "effect" && "execution" in mapped.effect ? mapped.effect.execution : null,
  };
}

export function presentAcceptedDelivery({
  id,
  deliveryId,
  status,
  execution,
  event,
  reason,
}: AcceptedDelivery): ApiAcceptedDelivery {
  return { id, deliveryId, status, execution, event, reason };
}

export function presentReceived(deliveries: readonly DeliveryAnswer[]): ApiReceivedHook {
  return { deliveries: deliveries.map((each) => ({ ...presentAcceptedDelivery(each), duplicate: each.duplicate })) };
}

export function presentSummary(delivery: Delivery): ApiDeliverySummary {
  const { receivedAt, tries, nextTryAt } = delivery;
  return {
    ...presentAcceptedDelivery(delivery),
    receivedAt: toInstant(receivedAt),
    tries,
    nextTryAt: toInstant(nextTryAt),
  };
}

export function presentDelivery(delivery: Delivery): ApiDelivery {
  const { request } = delivery;
  return { ...presentSummary(delivery), request: request && { ...request } };
}

type Replayed = { readonly deliveries: readonly AcceptedDelivery[]; readonly more: boolean };

export function presentReplayed({ deliveries, more }: Replayed): ApiReplayedDeliveries {
  return { deliveries: deliveries.map(presentAcceptedDelivery), more };
}
