// A tenant's triggers and what was delivered to them, as a part of the client.
import type * as shape from "#wire/triggers/shape.ts";
import type { Page } from "#wire/query.ts";
import type { JsonObject } from "#schema/json.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };
type TriggerFilters = PageOptions & {
  readonly kind?: shape.ApiTrigger["kind"];
  readonly namespace?: string;
  readonly enabled?: boolean;
  /** "name=value", or a label's name alone. */
  readonly label?: string;
  /** With how each is doing: its object is asked. */
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
    /** The answer has the address under which it is called; null of a poller. */
    create: (body: shape.CreateTriggerBody, call?: CallOptions) =>
      send<shape.ApiTriggerWithAddress>({ method: "POST", path: at(), body }, call),
    list: (query: TriggerFilters = {}) =>
      send<Page<shape.ApiTriggerInList>>({ method: "GET", path: at(), query: { ...query } }),
    get: (ref: string) => send<shape.ApiTriggerInUse>({ method: "GET", path: at(ref) }),
    address: (ref: string) => send<shape.ApiTriggerAddress>({ method: "GET", path: at(ref, "address") }),
    /** `position`: of a poller that would read another list, whether the ids it knows still hold. */
    update: (
      ref: string,
      patch: JsonObject,
      reason?: string,
      call?: CallOptions & { readonly position?: "keep" | "reset" },
    ) =>
      send<shape.ApiTrigger>(
        { method: "PATCH", path: at(ref), body: patch, query: { reason, position: call?.position } },
        call,
      ),
    /** It asks after the answer; a dry run shows what it would find. */
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
    /** Those that came first; ask again while `more`. */
    replayAll: (ref: string, body: shape.ReplayAllBody = {}, call?: CallOptions) =>
      verb<shape.ApiReplayedDeliveries>(ref, "replay", body, call),
  };
}
