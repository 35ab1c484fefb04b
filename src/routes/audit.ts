// Audit log: lists who changed which resource, when, and for what reason.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { auditEntry } from "#wire/audit/shape.ts";
import { presentAudit } from "#wire/audit/present.ts";
import * as query from "#wire/query.ts";
import { listAudit } from "#services/audit/audit.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const text = z.string().min(1).max(300).optional();

const list = endpoint("listAudit", {
  method: "get",
  path: "/v1/audit",
  tag: "Audit",
  summary: "List audit entries",
  request: { query: query.pageQueryWith({ actor: text, person: text, verb: text, target: text }) },
  answer: query.pageOf(auditEntry),
});

export const audit = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(list, async (c) => {
  const { cursor = null, limit, tenant: _tenant, ...filters } = c.req.valid("query");
  const page = await listAudit(c.var.deps, c.var.caller, { filters, cursor, limit });
  return answer(c, page, query.presentPage(presentAudit));
});
