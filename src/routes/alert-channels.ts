// Alert channels: a tenant's channels for alerts about failures. No response contains the value of a secret.
import { z } from "zod";
import * as shape from "#wire/alerts/shape.ts";
import { presentAlertChannel } from "#wire/alerts/present.ts";
import * as query from "#wire/query.ts";
import {
  alertChannelNoun,
  alertChannelTag,
  createAlertChannel,
  listAlertChannels,
  putAlertChannel,
  updateAlertChannel,
} from "#services/alerts/alert-channels.ts";
import { testAlertChannel } from "#services/alerts/test-alert-channel.ts";
import { deleteNamed } from "#services/named/delete-named.ts";
import { findNamed } from "#services/named/find-named.ts";
import { answer } from "./http/answer.ts";
import { crudRoutes } from "./http/crud.ts";
import { endpoint } from "./http/endpoint.ts";

const tag = "Alerts";
const params = z.object({ ref: shape.alertChannelRefText });
const view = { answer: shape.alertChannelView, present: presentAlertChannel };

const test = endpoint("testAlertChannel", {
  method: "post",
  path: "/v1/alert-channels/{ref}/test",
  tag,
  summary: "Send a test alert",
  description:
    "Sends a test alert through the channel, even if the channel is disabled. The response names the action that sends the alert.",
  request: { params, query: query.changeQuery },
  answer: shape.testedAlertChannel,
});

export const alertChannels = crudRoutes({
  tag,
  path: "/v1/alert-channels/{ref}",
  params,
  create: {
    id: "createAlertChannel",
    summary: "Create an alert channel",
    description:
      "`channel.config` is the config of an action of the same type, without the fields that each alert sets. After you have created the channel, send a test alert.",
    body: shape.createAlertChannelBody,
    run: createAlertChannel,
    ...view,
  },
  list: {
    id: "listAlertChannels",
    summary: "List alert channels",
    query: query.pageQuery,
    run: listAlertChannels,
    ...view,
  },
  get: {
    id: "getAlertChannel",
    summary: "Get an alert channel",
    run: (deps, caller, { ref }) => findNamed(deps, caller, alertChannelNoun, ref),
    tag: alertChannelTag,
    ...view,
  },
  put: {
    id: "putAlertChannel",
    summary: "Create or replace an alert channel",
    description: "The change takes effect within ten seconds.",
    body: shape.putAlertChannelBody,
    run: putAlertChannel,
    answer: shape.putAlertChannelView,
    present: presentAlertChannel,
  },
  update: {
    id: "updateAlertChannel",
    summary: "Update an alert channel",
    description: "The change takes effect within ten seconds.",
    body: shape.patchAlertChannelBody,
    run: updateAlertChannel,
    ...view,
  },
  remove: {
    id: "deleteAlertChannel",
    summary: "Delete an alert channel",
    description: "After the deletion the name can be used again. Alerts that are already queued are still delivered.",
    run: (deps, caller, input) => deleteNamed(deps, caller, alertChannelNoun, input),
    ...view,
  },
}).openapi(test, async (c) => {
  const { dryRun } = c.req.valid("query");
  const input = { ref: c.req.valid("param").ref, key: c.var.idempotencyKey, dryRun };
  return answer(c, await testAlertChannel(c.var.deps, c.var.caller, input), (tested) => ({ ...tested, dryRun }));
});
