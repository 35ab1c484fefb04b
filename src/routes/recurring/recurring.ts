// Recurring actions: create, list, read, update and delete them.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { recurringName } from "#schema/recurring/spec.ts";
import { refuse } from "#schema/refusal.ts";
import * as body from "#wire/recurring/bodies.ts";
import * as shape from "#wire/recurring/shape.ts";
import * as present from "#wire/recurring/present.ts";
import { createRecurring } from "#services/recurring/create-recurring.ts";
import { deleteRecurring, findDeletable, getRecurring, listRecurring } from "#services/recurring/recurring.ts";
import { noRecurring } from "#services/recurring/recurring-view.ts";
import { invalidNamed } from "#services/named/named-noun.ts";
import { parseNamed } from "#services/named/put-named.ts";
import { putRecurring, recurringTag } from "#services/recurring/put-recurring.ts";
import { requestFindings } from "#services/recurring/request-findings.ts";
import { updateRecurring } from "#services/recurring/update-recurring.ts";
import { answer, answerPut, setTag } from "../http/answer.ts";
import { readPrecondition } from "../http/conditions.ts";
import { languageOf } from "./language.ts";
import { recurringIdOf } from "./reference.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid, refuseWithMore, type ParsedRequest } from "../http/refuse-invalid.ts";

const tag = "Recurring actions";
const params = z.object({ id: body.recurringRefText });

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
  summary: "Create or update a recurring action",
  description:
    "With an id in the path, changes the given fields. With a name, creates the recurring action, or replaces its settings as a whole. If the cron expression and the time zone stay the same, the occurrences keep their instants. With a new expression, the first occurrence is after the change.",
  request: { params, query: body.recurringDeleteQuery, body: jsonBody(body.updateRecurringBody) },
  answer: shape.putRecurringAnswer,
  status: 201,
});

const remove = endpoint("deleteRecurring", {
  method: "delete",
  path: "/v1/recurring/{id}",
  tag,
  summary: "Delete a recurring action",
  description: "Work that was already dispatched continues.",
  request: { params, query: body.recurringDeleteQuery },
  answer: null,
  dryAnswer: shape.undeletedRecurring,
});

export const recurring = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(
    create,
    async (c) => {
      const { name, namespace, tenant, enabled = true, ...sent } = c.req.valid("json");
      const { dryRun, namespace: namespaceInQuery } = c.req.valid("query");
      // The API key determines the tenant, so a body that names another tenant is refused.
      if (tenant !== undefined && tenant !== c.var.caller.tenant) return answerProblem(c, unknownTenant);
      const timing = { ...present.insideTiming(sent), cron: sent.cron_expr, namespace: namespace ?? namespaceInQuery };
      const asked = { name, ...timing, work: present.insideWork(sent) };
      const input = { asked, enabled, key: c.var.idempotencyKey, dryRun, language: languageOf(c) };
      const result = await createRecurring(c.var.deps, c.var.caller, input);
      return answer(c, result, present.presentCreated(dryRun), ({ repeated }) => (dryRun || repeated ? 200 : 201));
    },
    refuseBody,
  )
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
    const id = await recurringIdOf(c);
    if (!id.ok) return answerProblem(c, id.refusal);
    const input = { id: id.value, namespace, language: languageOf(c) };
    const result = await getRecurring(c.var.deps, c.var.caller, input);
    if (result.ok) setTag(c, await recurringTag(result.value.view));
    return answer(c, result, present.presentRecurring);
  })
  .openapi(
    update,
    async (c) => {
      const query = c.req.valid("query");
      return recurringName.safeParse(c.req.valid("param").id).success
        ? putByName(c, c.req.valid("json"), query)
        : updateById(c, c.req.valid("json"), query);
    },
    refuseBody,
  )
  .openapi(remove, async (c) => {
    const { namespace = null, dryRun, reason = null } = c.req.valid("query");
    const id = await recurringIdOf(c);
    if (!id.ok) return answerProblem(c, id.refusal);
    const input = { id: id.value, namespace, key: c.var.idempotencyKey, reason };
    if (dryRun) {
      const found = await findDeletable(c.var.deps, c.var.caller, { ...input, language: languageOf(c) });
      return answer(c, found, present.presentUndeleted);
    }
    const result = await deleteRecurring(c.var.deps, c.var.caller, input);
    return result.ok ? c.body(null, 204) : answerProblem(c, result.refusal);
  });

/** Refuses an invalid body with everything that is wrong, also what its schema does not check. */
function refuseBody(checked: ParsedRequest, c: AppContext): Promise<Response> | Response | undefined {
  const { success, error, target, data } = checked;
  if (success || error === undefined || target !== "json") return refuseInvalid(checked, c);
  const { deps, caller } = c.var;
  return requestFindings(deps, caller.tenant, data).then((more) => refuseWithMore(checked, error, c, more));
}

type PutQuery = {
  readonly namespace?: string | undefined;
  readonly reason?: string | undefined;
  readonly dryRun: boolean;
};

/** Changes the fields that the body contains. */
async function updateById(c: AppContext, sent: body.UpdateRecurringBody, query: PutQuery): Promise<Response> {
  const id = await recurringIdOf(c);
  if (!id.ok) return answerProblem(c, id.refusal);
  const parsed = body.changeRecurringBody.safeParse(sent);
  if (!parsed.success)
    return answerProblem(c, invalidNamed("recurring action", zodFindings(parsed.error, body.changeRecurringBody)));
  const precondition = readPrecondition(c);
  if (!precondition.ok) return answerProblem(c, precondition.refusal);
  const { namespace = null, dryRun, reason = null } = query;
  const asked = { ...present.insideTiming(sent), cron: sent.cron_expr, work: present.insideWorkChange(sent) };
  const input = { id: id.value, namespace, language: languageOf(c), asked, enabled: sent.enabled ?? null };
  const result = await updateRecurring(c.var.deps, c.var.caller, {
    ...input,
    precondition: precondition.value,
    reason,
    dryRun,
  });
  if (!result.ok) return answerProblem(c, result.refusal);
  setTag(c, await recurringTag(result.value.view));
  return answer(c, result, present.presentRecurring);
}

/** Creates the recurring action with this name, or replaces its settings as a whole. */
async function putByName(c: AppContext, sent: body.UpdateRecurringBody, query: PutQuery): Promise<Response> {
  const name = c.req.param("id") ?? "";
  const known = await recurringIdOf(c);
  if (!known.ok && sent.cron_expr === undefined) return answerProblem(c, known.refusal);
  const parsed = parseNamed("recurring action", body.createRecurringBody, name, sent as JsonObject); // The body was parsed from JSON.
  if (!parsed.ok) return answerProblem(c, parsed.refusal);
  const { namespace, tenant, enabled = null, ...rest } = parsed.value;
  if (tenant !== undefined && tenant !== c.var.caller.tenant) return answerProblem(c, unknownTenant);
  const timing = { ...present.insideTiming(rest), cron: rest.cron_expr, namespace: namespace ?? query.namespace };
  const asked = { ...timing, work: present.insideWork(rest) };
  const { reason = null, dryRun } = query;
  const input = { name, asked, enabled, reason, dryRun, language: languageOf(c) };
  const write = (precondition: Precondition) => putRecurring(c.var.deps, c.var.caller, { ...input, precondition });
  return answerPut(c, write, present.presentRecurring, dryRun ? 200 : 201);
}

const unknownTenant = refuse({ ...noRecurring, message: "The API key does not belong to this tenant." }).refusal;

function labelOf(text: string) {
  const colon = text.indexOf(":");
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
