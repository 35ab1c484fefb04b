// Recurring actions: create, list, read, update and delete them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { recurringIdText } from "#schema/ids.ts";
import { refuse } from "#schema/refusal.ts";
import * as body from "#wire/recurring/bodies.ts";
import * as shape from "#wire/recurring/shape.ts";
import * as present from "#wire/recurring/present.ts";
import { createRecurring } from "#services/recurring/create-recurring.ts";
import { deleteRecurring, getRecurring, listRecurring } from "#services/recurring/recurring.ts";
import { noRecurring } from "#services/recurring/recurring-view.ts";
import { updateRecurring } from "#services/recurring/update-recurring.ts";
import { answer } from "../http/answer.ts";
import { languageOf } from "./language.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Recurring actions";
const params = z.object({ id: recurringIdText });

const create = endpoint("createRecurring", {
  method: "post",
  path: "/v1/recurring",
  tag,
  summary: "Create a recurring action",
  description:
    "`provider` is an action type or a connection's name, `action_type` is the action's name, and `payload` is its config. With `definition` instead of these fields, each occurrence starts an execution.",
  request: { query: body.recurringChangeQuery, body: jsonBody(body.createRecurringBody) },
  answer: shape.createdRecurring,
  status: 201,
});

const list = endpoint("listRecurring", {
  method: "get",
  path: "/v1/recurring",
  tag,
  summary: "List recurring actions",
  request: { query: body.recurringListQuery },
  answer: shape.recurringList,
});

const read = endpoint("getRecurring", {
  method: "get",
  path: "/v1/recurring/{id}",
  tag,
  summary: "Get a recurring action",
  request: { params, query: body.recurringQuery },
  answer: shape.recurringAction,
});

const update = endpoint("updateRecurring", {
  method: "put",
  path: "/v1/recurring/{id}",
  tag,
  summary: "Update a recurring action",
  description:
    "If the cron expression and the time zone stay the same, the occurrences keep their instants. With a new expression, the first occurrence is after the change.",
  request: { params, query: body.recurringDeleteQuery, body: jsonBody(body.updateRecurringBody) },
  answer: shape.recurringAction,
});

const remove = endpoint("deleteRecurring", {
  method: "delete",
  path: "/v1/recurring/{id}",
  tag,
  summary: "Delete a recurring action",
  description: "Work that was already dispatched continues.",
  request: { params, query: body.recurringDeleteQuery },
  answer: null,
});

export const recurring = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(create, async (c) => {
    const { namespace, tenant, enabled = true, ...sent } = c.req.valid("json");
    const { dryRun, namespace: namespaceInQuery } = c.req.valid("query");
    // The API key determines the tenant, so a body that names another tenant is refused.
    if (tenant !== undefined && tenant !== c.var.caller.tenant) return answerProblem(c, unknownTenant);
    const timing = { ...present.insideTiming(sent), cron: sent.cron_expr, namespace: namespace ?? namespaceInQuery };
    const asked = { ...timing, work: present.insideWork(sent) };
    const input = { asked, enabled, key: c.var.idempotencyKey, dryRun, language: languageOf(c) };
    const result = await createRecurring(c.var.deps, c.var.caller, input);
    return answer(c, result, present.presentCreated(dryRun), ({ repeated }) => (dryRun || repeated ? 200 : 201));
  })
  .openapi(list, async (c) => {
    const { cursor = null, limit, tenant: _tenant, label, ...filters } = c.req.valid("query");
    const page = await listRecurring(c.var.deps, c.var.caller, {
      filters: { ...filters, label: label === undefined ? undefined : labelOf(label) },
      cursor,
      limit,
      language: languageOf(c),
    });
    return answer(c, page, ({ data, nextCursor }) => ({
      recurring_actions: data.map(present.presentListed),
      next_cursor: nextCursor,
    }));
  })
  .openapi(read, async (c) => {
    const { namespace = null } = c.req.valid("query");
    const result = await getRecurring(c.var.deps, c.var.caller, {
      id: c.req.valid("param").id,
      namespace,
      language: languageOf(c),
    });
    return answer(c, result, present.presentRecurring);
  })
  .openapi(update, async (c) => {
    const sent = c.req.valid("json");
    const { namespace = null, dryRun, reason = null } = c.req.valid("query");
    const asked = { ...present.insideTiming(sent), cron: sent.cron_expr, work: present.insideWorkChange(sent) };
    const name = { id: c.req.valid("param").id, namespace, language: languageOf(c) };
    const input = { ...name, asked, enabled: sent.enabled ?? null, reason, dryRun };
    return answer(c, await updateRecurring(c.var.deps, c.var.caller, input), present.presentRecurring);
  })
  .openapi(remove, async (c) => {
    const { namespace = null, dryRun, reason = null } = c.req.valid("query");
    const input = { id: c.req.valid("param").id, namespace, reason, dryRun };
    const result = await deleteRecurring(c.var.deps, c.var.caller, input);
    return result.ok ? c.body(null, 204) : answerProblem(c, result.refusal);
  });

const unknownTenant = refuse({ ...noRecurring, message: "The API key does not belong to this tenant." }).refusal;

function labelOf(text: string) {
  const colon = text.indexOf(":");
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
