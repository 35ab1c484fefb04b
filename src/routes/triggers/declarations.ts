// Trigger endpoints: the declarations that triggers.ts and deliveries.ts implement.
import { z } from "zod";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import * as shape from "#wire/triggers/shape.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";

export const tag = "Triggers";
export const params = z.object({ ref: shape.triggerRefText });

export const create = endpoint("createTrigger", {
  method: "post",
  path: "/v1/triggers",
  tag,
  summary: "Create a trigger",
  description: "The response contains the trigger's address. The secrets that the trigger names may be set later.",
  request: { query: query.changeQuery, body: jsonBody(shape.createTriggerBody) },
  answer: shape.triggerWithAddress,
  status: 201,
});

export const listQuery = query.pageQueryWith({
  kind: z.enum(triggerKinds).optional(),
  namespace: value.namespace.optional(),
  enabled: z.enum(["true", "false"]).optional(),
  state: z
    .enum(["true"])
    .optional()
    .meta({
      description: "true: the response includes the state of each trigger, such as a poller's last and next poll.",
    }),
  label: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: "Filter by label: `name=value`, or the name of a label.", examples: ["team=web"] }),
});

export const address = endpoint("getTriggerAddress", {
  method: "get",
  path: "/v1/triggers/{ref}/address",
  tag,
  summary: "Get a trigger's address",
  request: { params, query: query.plainQuery },
  answer: shape.triggerAddress,
});

export const update = endpoint("updateTrigger", {
  method: "patch",
  path: "/v1/triggers/{ref}",
  tag,
  summary: "Update a trigger",
  description:
    "The change takes effect within seconds. The trigger keeps its address and its deliveries. If a poller's list changes, the request needs `position`.",
  request: {
    params,
    query: query.changeQueryWithReason.extend({ position: shape.positionText }),
    body: jsonBody(shape.patchTriggerBody),
  },
  answer: shape.changedTrigger,
});

export const putByName = endpoint("putTrigger", {
  method: "put",
  path: "/v1/triggers/{ref}",
  tag,
  summary: "Create or replace a trigger",
  description:
    "The trigger keeps its address, its deliveries, and whether it is enabled. If a poller's list changes, the request needs `position`. `GET /v1/triggers/{ref}/address` returns the address of a new trigger.",
  request: {
    params,
    query: query.changeQueryWithReason.extend({ position: shape.positionText }),
    body: jsonBody(shape.putTriggerBody),
  },
  answer: shape.putTriggerView,
  status: 201,
});

const switching = { params, query: query.changeQuery, body: jsonBody(shape.switchTriggerBody, false) };

export const enable = endpoint("enableTrigger", {
  method: "post",
  path: "/v1/triggers/{ref}/enable",
  tag,
  summary: "Enable a trigger",
  request: switching,
  answer: shape.triggerView,
});

export const disable = endpoint("disableTrigger", {
  method: "post",
  path: "/v1/triggers/{ref}/disable",
  tag,
  summary: "Disable a trigger",
  description: "The trigger's address returns 410 within seconds. Deliveries that are already stored are processed.",
  request: switching,
  answer: shape.triggerView,
});

export const poll = endpoint("pollTrigger", {
  method: "post",
  path: "/v1/triggers/{ref}/poll",
  tag,
  summary: "Poll now",
  description:
    "The poll starts after the response. `state.poller` of the trigger shows the result. A dry run requests one page and changes nothing.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.pollBody, false) },
  answer: shape.polledTrigger,
});

export const rotateToken = endpoint("rotateTriggerToken", {
  method: "post",
  path: "/v1/triggers/{ref}/rotate-token",
  tag,
  summary: "Rotate a trigger's address",
  description: "The previous address works for `overlapMs`, then returns 410.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.rotateTokenBody, false) },
  answer: shape.triggerWithAddress,
});

export const rotateSecret = endpoint("rotateTriggerSecret", {
  method: "post",
  path: "/v1/triggers/{ref}/rotate-secret",
  tag,
  summary: "Rotate a trigger's secret",
  description: "The trigger accepts both the old and the new secret for `overlapMs`.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.rotateSecretBody) },
  answer: shape.triggerView,
});

const oneDelivery = params.extend({ id: shape.takenDelivery.shape.id });

export const deliveries = endpoint("listDeliveries", {
  method: "get",
  path: "/v1/triggers/{ref}/deliveries",
  tag,
  summary: "List deliveries of a trigger",
  request: {
    params,
    query: query.pageQueryWith({
      status: shape.deliveryStatus.optional(),
      deliveryId: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .meta({ description: "The id that the sender gave the delivery." }),
    }),
  },
  answer: query.pageOf(shape.deliverySummary),
});

export const delivery = endpoint("getDelivery", {
  method: "get",
  path: "/v1/triggers/{ref}/deliveries/{id}",
  tag,
  summary: "Get a delivery",
  request: { params: oneDelivery, query: query.plainQuery },
  answer: shape.deliveryView,
});

export const replay = endpoint("replayDelivery", {
  method: "post",
  path: "/v1/triggers/{ref}/deliveries/{id}/replay",
  tag,
  summary: "Replay a delivery",
  description:
    "Ignored, outdated, unmappable and failed deliveries can be replayed. The delivery keeps its id, so that completed effects are not repeated.",
  request: { params: oneDelivery, query: query.changeQuery, body: jsonBody(shape.replayBody, false) },
  answer: shape.takenDelivery,
});

export const replayAll = endpoint("replayDeliveries", {
  method: "post",
  path: "/v1/triggers/{ref}/replay",
  tag,
  summary: "Replay deliveries by filter",
  request: { params, query: query.changeQuery, body: jsonBody(shape.replayAllBody, false) },
  answer: shape.replayedDeliveries,
});
