// Tenants: creates, reads, changes, suspends and resumes tenants. Only the root key has access.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTenant, presentUsage } from "#wire/tenants/present.ts";
import { changeTenantBody, createTenantBody, suspendTenantBody, tenant, tenantUsage } from "#wire/tenants/shape.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import {
  changeTenant,
  createTenant,
  getTenant,
  listTenants,
  resumeTenant,
  suspendTenant,
} from "#services/caller/tenants.ts";
import { getUsage } from "#services/quotas/get-usage.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerOncePerKey } from "./http/idempotency-key.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Tenants and keys";
const params = z.object({ id: value.tenantId });

const create = endpoint("createTenant", {
  method: "post",
  path: "/v1/tenants",
  tag,
  summary: "Create a tenant",
  request: { query: query.changeQuery, body: jsonBody(createTenantBody) },
  answer: tenant,
  status: 201,
});

const list = endpoint("listTenants", {
  method: "get",
  path: "/v1/tenants",
  tag,
  summary: "List tenants",
  request: { query: query.pageQuery },
  answer: query.pageOf(tenant),
});

const read = endpoint("getTenant", {
  method: "get",
  path: "/v1/tenants/{id}",
  tag,
  summary: "Get a tenant",
  request: { params, query: query.plainQuery },
  answer: tenant,
});

const update = endpoint("changeTenant", {
  method: "patch",
  path: "/v1/tenants/{id}",
  tag,
  summary: "Update a tenant",
  description: `Omitted fields stay unchanged. The change takes effect everywhere within ${isolateCaches.tenants.freshMs / 1_000} seconds.`,
  request: { params, query: query.changeQuery, body: jsonBody(changeTenantBody) },
  answer: tenant,
});

const suspend = endpoint("suspendTenant", {
  method: "post",
  path: "/v1/tenants/{id}/suspend",
  tag,
  summary: "Suspend a tenant",
  description:
    "No new execution or action starts. Running executions are held: they send nothing, use no attempt, and store events for later. Timers keep their instants. Reads work.",
  request: { params, query: query.changeQuery, body: jsonBody(suspendTenantBody) },
  answer: tenant,
});

const resume = endpoint("resumeTenant", {
  method: "post",
  path: "/v1/tenants/{id}/resume",
  tag,
  summary: "Resume a tenant",
  request: { params, query: query.changeQuery, body: jsonBody(suspendTenantBody) },
  answer: tenant,
});

const usage = endpoint("getUsage", {
  method: "get",
  path: "/v1/tenants/{id}/usage",
  tag,
  summary: "Get a tenant's usage",
  request: { params, query: query.plainQuery },
  answer: tenantUsage,
});

export const tenants = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(create, async (c) => {
    const { dryRun } = c.req.valid("query");
    const body = c.req.valid("json");
    const input = { id: body.id, name: body.name, retentionDays: body.retentionDays ?? null, dryRun };
    const result = await answerOncePerKey(c, input, (deps) => createTenant(deps, c.var.installationCaller, input));
    return answer(c, result, presentTenant, dryRun ? 200 : 201);
  })
  .openapi(list, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const page = await listTenants(c.var.deps, c.var.installationCaller, { cursor, limit });
    return answer(c, page, query.presentPage(presentTenant));
  })
  .openapi(read, async (c) => {
    const result = await getTenant(c.var.deps, c.var.installationCaller, { id: c.req.valid("param").id });
    return answer(c, result, presentTenant);
  })
  .openapi(update, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { name = null, retentionDays = null, limits = {}, origins = null, reason = null } = c.req.valid("json");
    const input = { id: c.req.valid("param").id, name, retentionDays, limits, origins, reason, dryRun };
    return answer(c, await changeTenant(c.var.deps, c.var.installationCaller, input), presentTenant);
  })
  .openapi(suspend, async (c) => {
    const input = { id: c.req.valid("param").id, ...c.req.valid("json"), dryRun: c.req.valid("query").dryRun };
    return answer(c, await suspendTenant(c.var.deps, c.var.installationCaller, input), presentTenant);
  })
  .openapi(resume, async (c) => {
    const input = { id: c.req.valid("param").id, ...c.req.valid("json"), dryRun: c.req.valid("query").dryRun };
    return answer(c, await resumeTenant(c.var.deps, c.var.installationCaller, input), presentTenant);
  })
  .openapi(usage, async (c) => {
    const result = await getUsage(c.var.deps, c.var.installationCaller, { id: c.req.valid("param").id });
    return answer(c, result, presentUsage);
  });
