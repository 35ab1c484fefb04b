// Tenants: made and listed with the root key.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTenant } from "#wire/tenants/present.ts";
import { createTenantBody, tenant } from "#wire/tenants/shape.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { createTenant } from "#services/caller/create-tenant.ts";
import { getTenant } from "#services/caller/get-tenant.ts";
import { listTenants } from "#services/caller/list-tenants.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerOncePerKey } from "./http/answer-once.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Tenants and keys";

const create = endpoint("createTenant", {
  method: "post",
  path: "/v1/tenants",
  tag,
  summary: "Opens a tenant (root key only)",
  request: { query: query.changeQuery, body: jsonBody(createTenantBody) },
  answer: tenant,
  status: 201,
});

const list = endpoint("listTenants", {
  method: "get",
  path: "/v1/tenants",
  tag,
  summary: "Lists tenants (root key only)",
  request: { query: query.pageQuery },
  answer: query.pageOf(tenant),
});

const read = endpoint("getTenant", {
  method: "get",
  path: "/v1/tenants/{id}",
  tag,
  summary: "Reads a tenant: the root key any, others their own",
  request: { params: z.object({ id: value.tenantId }), query: query.plainQuery },
  answer: tenant,
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
  });
