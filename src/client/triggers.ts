// Client calls about triggers and their deliveries.
import type * as shape from "#wire/triggers/shape.ts";
import type { Page } from "#wire/query.ts";
import type { JsonObject } from "#schema/json.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };
type TriggerFilters = PageOptions & {
  readonly kind?: shape.ApiTrigger["kind"];
  readonly namespace?: string;
  readonly enabled?: boolean;
  /** A label to filter by: "name=value", or a label's name alone. */
  readonly label?: string;
  /** True: the answer also contains the current state of each trigger's object. */
  readonly state?: true;
};
type DeliveryFilters = PageOptions & {
  readonly status?: shape.ApiDeliverySummary["status"];
  readonly deliveryId?: string;
};

export function triggers(send: Send) {
  const at = (...rest: readonly string[]) => ["v1", "triggers", ...rest];
  const verb = <Answer>(ref: string, name: string, body: unknown, call?: CallOptions) =>
    send<Answer>({ method: "POST", path: at(ref, name), body }, call);
  return {
    /**
     * Creates a trigger. The answer contains the URL that receives requests; null for a trigger that receives none,
     * such as a poller.
     */
    create: (body: shape.CreateTriggerBody, call?: CallOptions) =>
      send<shape.ApiTriggerWithAddress>({ method: "POST", path: at(), body }, call),
    list: (query: TriggerFilters = {}) =>
      send<Page<shape.ApiTriggerInList>>({ method: "GET", path: at(), query: { ...query } }),
    get: (ref: string) => send<shape.ApiTriggerInUse>({ method: "GET", path: at(ref) }),
    address: (ref: string) => send<shape.ApiTriggerAddress>({ method: "GET", path: at(ref, "address") }),
    /**
     * Updates a trigger. `position`: whether a poller keeps or deletes the known ids of items, if the change affects
     * the polled list.
     */
    update: (
      ref: string,
      patch: JsonObject,
      reason?: string,
      call?: CallOptions & { readonly position?: "keep" | "reset" },
    ) =>
      send<shape.ApiChangedTrigger>(
        { method: "PATCH", path: at(ref), body: patch, query: { reason, position: call?.position } },
        call,
      ),
    /**
     * Requests a poll. The poll runs after the answer was sent. A dry run polls first, and returns the items that it
     * finds.
     */
    poll: (ref: string, body: shape.PollBody = {}, call?: CallOptions) =>
      verb<shape.ApiPolledTrigger>(ref, "poll", body, call),
    delete: (ref: string, reason?: string, call?: CallOptions) =>
      send<shape.ApiTrigger>({ method: "DELETE", path: at(ref), query: { reason } }, call),
    enable: (ref: string, body: shape.SwitchTriggerBody = {}, call?: CallOptions) =>
      verb<shape.ApiTrigger>(ref, "enable", body, call),
    disable: (ref: string, body: shape.SwitchTriggerBody = {}, call?: CallOptions) =>
      verb<shape.ApiTrigger>(ref, "disable", body, call),
    rotateToken: (ref: string, body: shape.RotateTokenBody = {}, call?: CallOptions) =>
      verb<shape.ApiTriggerWithAddress>(ref, "rotate-token", body, call),
    rotateSecret: (ref: string, body: shape.RotateSecretBody, call?: CallOptions) =>
      verb<shape.ApiTrigger>(ref, "rotate-secret", body, call),
    deliveries: (ref: string, query: DeliveryFilters = {}) =>
      send<Page<shape.ApiDeliverySummary>>({ method: "GET", path: at(ref, "deliveries"), query: { ...query } }),
    delivery: (ref: string, id: string) => send<shape.ApiDelivery>({ method: "GET", path: at(ref, "deliveries", id) }),
    replay: (ref: string, id: string, body: shape.ReplayBody = {}, call?: CallOptions) =>
      send<shape.ApiAcceptedDelivery>({ method: "POST", path: at(ref, "deliveries", id, "replay"), body }, call),
    /**
     * Replays the oldest deliveries that match the body's filter. Repeat the call while `more` in the answer is true.
     */
    replayAll: (ref: string, body: shape.ReplayAllBody = {}, call?: CallOptions) =>
      verb<shape.ApiReplayedDeliveries>(ref, "replay", body, call),
  };
}
