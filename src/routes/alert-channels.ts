// Alert channels: where a tenant's failures are sent. No answer contains the values of their secrets.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { alertChannelIdText } from "#schema/ids.ts";
import * as shape from "#wire/alerts/shape.ts";
import { presentAlertChannel } from "#wire/alerts/present.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import type { JsonObject } from "#schema/json.ts";
import {
  createAlertChannel,
  alertChannelNoun,
  listAlertChannels,
  updateAlertChannel,
} from "#services/alerts/alert-channels.ts";
import { testAlertChannel } from "#services/alerts/test-alert-channel.ts";
import { deleteNamed } from "#services/named/delete-named.ts";
import { findNamed } from "#services/named/find-named.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerOncePerKey } from "./http/answer-once.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Alerts";
const params = z.object({ id: alertChannelIdText });
const changeWithReason = query.changeQuery.extend({ reason: value.reason.optional() });

const create = endpoint("createAlertChannel", {
  method: "post",
  path: "/v1/alert-channels",
  tag,
  summary: "Create an alert channel",
  description:
    "`channel.config` is the config of an action of the same type, without the fields that the alert fills in. Test the channel afterwards.",
  request: { query: query.changeQuery, body: jsonBody(shape.createAlertChannelBody) },
  answer: shape.alertChannelView,
  status: 201,
});

const list = endpoint("listAlertChannels", {
  method: "get",
  path: "/v1/alert-channels",
  tag,
  summary: "List alert channels",
  request: { query: query.pageQuery },
  answer: query.pageOf(shape.alertChannelView),
});

const read = endpoint("getAlertChannel", {
  method: "get",
  path: "/v1/alert-channels/{id}",
  tag,
  summary: "Get an alert channel",
  request: { params, query: query.plainQuery },
  answer: shape.alertChannelView,
});

const update = endpoint("updateAlertChannel", {
  method: "patch",
  path: "/v1/alert-channels/{id}",
  tag,
  summary: "Update an alert channel",
  description: "Takes effect within ten seconds.",
  request: { params, query: changeWithReason, body: jsonBody(shape.patchAlertChannelBody) },
  answer: shape.alertChannelView,
});

const remove = endpoint("deleteAlertChannel", {
  method: "delete",
  path: "/v1/alert-channels/{id}",
  tag,
  summary: "Delete an alert channel",
  description: "Frees the name. Alerts already queued are still delivered.",
  request: { params, query: changeWithReason },
  answer: shape.alertChannelView,
});

const tryOut = endpoint("testAlertChannel", {
  method: "post",
  path: "/v1/alert-channels/{id}/test",
  tag,
  summary: "Send a test alert",
  description: "Uses the channel as it is, even if disabled. The response names the action that sends the alert.",
  request: { params, query: query.changeQuery },
  answer: shape.testedAlertChannel,
});

export const alertChannels = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(create, async (c) => {
    const { dryRun } = c.req.valid("query");
    const input = { body: c.req.valid("json"), dryRun };
    const said = { body: input.body as JsonObject, dryRun }; // it came out of JSON.parse
    const result = await answerOncePerKey(c, said, (deps) => createAlertChannel(deps, c.var.caller, input));
    return answer(c, result, presentAlertChannel, dryRun ? 200 : 201);
  })
  .openapi(list, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const page = await listAlertChannels(c.var.deps, c.var.caller, { cursor, limit });
    return answer(c, page, query.presentPage(presentAlertChannel));
  })
  .openapi(tryOut, async (c) => {
    const { dryRun } = c.req.valid("query");
    const input = { id: c.req.valid("param").id, key: c.var.idempotencyKey, dryRun };
    return answer(c, await testAlertChannel(c.var.deps, c.var.caller, input), (tested) => ({ ...tested, dryRun }));
  })
  .openapi(read, async (c) => {
    const result = await findNamed(c.var.deps, c.var.caller, alertChannelNoun, c.req.valid("param").id);
    return answer(c, result, presentAlertChannel);
  })
  .openapi(update, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { id: c.req.valid("param").id, patch: c.req.valid("json"), reason, dryRun };
    return answer(c, await updateAlertChannel(c.var.deps, c.var.caller, input), presentAlertChannel);
  })
  .openapi(remove, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const input = { ref: c.req.valid("param").id, reason, dryRun };
    return answer(c, await deleteNamed(c.var.deps, c.var.caller, alertChannelNoun, input), presentAlertChannel);
  });
