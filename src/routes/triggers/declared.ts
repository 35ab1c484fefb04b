// The endpoints of triggers, as /openapi.json says them and their requests are checked.
import { z } from "zod";
import { triggerKinds } from "#schema/inbound/started-by.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import * as shape from "#wire/triggers/shape.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";

const tag = "Triggers";
const params = z.object({ ref: shape.triggerRefText });
const changeWithReason = query.changeQuery.extend({ reason: value.reason.optional() });

export const create = endpoint("createTrigger", {
  method: "post",
  path: "/v1/triggers",
  tag,
  summary: "Create a trigger",
  description: "The answer has the address under which it is called. Secrets that it names need not be set yet.",
  request: { query: query.changeQuery, body: jsonBody(shape.createTriggerBody) },
  answer: shape.triggerWithAddress,
  status: 201,
});

export const list = endpoint("listTriggers", {
  method: "get",
  path: "/v1/triggers",
  tag,
  summary: "List triggers",
  request: {
    query: query.pageQueryWith({
      kind: z.enum(triggerKinds).optional(),
      namespace: value.namespace.optional(),
      enabled: z.enum(["true", "false"]).optional(),
      state: z.enum(["true"]).optional().meta({
        description: "true: with how each is doing, a poller's last and next poll among it. Asks the object of each.",
      }),
      label: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .meta({ description: "`name=value`, or a label's name alone.", examples: ["team=web"] }),
    }),
  },
  answer: query.pageOf(shape.triggerInList),
});

export const read = endpoint("getTrigger", {
  method: "get",
  path: "/v1/triggers/{ref}",
  tag,
  summary: "Get a trigger",
  request: { params, query: query.plainQuery },
  answer: shape.triggerInUse,
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
    "Requests heed a change within seconds. Its address stays, and so does what was delivered. A poller that would read another " +
    "list asks for `position`.",
  request: {
    params,
    query: changeWithReason.extend({ position: shape.positionText }),
    body: jsonBody(shape.patchTriggerBody),
  },
  answer: shape.triggerView,
});

export const remove = endpoint("deleteTrigger", {
  method: "delete",
  path: "/v1/triggers/{ref}",
  tag,
  summary: "Delete a trigger",
  description: "Its name is free again, its address answers 410, and its deliveries are let go of.",
  request: { params, query: changeWithReason },
  answer: shape.triggerView,
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
  description: "Its address answers 410 within seconds. What was delivered goes its way.",
  request: switching,
  answer: shape.triggerView,
});

export const poll = endpoint("pollTrigger", {
  method: "post",
  path: "/v1/triggers/{ref}/poll",
  tag,
  summary: "Poll now",
  description:
    "It asks after the answer; `state.poller` of the trigger shows what came of it. A dry run asks for one page and changes nothing.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.pollBody, false) },
  answer: shape.polledTrigger,
});

export const newToken = endpoint("rotateTriggerToken", {
  method: "post",
  path: "/v1/triggers/{ref}/rotate-token",
  tag,
  summary: "Rotate a trigger's address",
  description: "The one before holds for `overlapMs`, and answers 410 then.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.rotateTokenBody, false) },
  answer: shape.triggerWithAddress,
});

export const newSecret = endpoint("rotateTriggerSecret", {
  method: "post",
  path: "/v1/triggers/{ref}/rotate-secret",
  tag,
  summary: "Rotate a trigger's secret",
  description: "What is signed with either is believed for `overlapMs`.",
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
      deliveryId: z.string().min(1).max(300).optional().meta({ description: "The sender's own id." }),
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
  description: "Ignored, outdated, unmappable and failed ones. It keeps its id: what it has done it does not do again.",
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
