// Reading message templates.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTemplate, presentTemplateSummary } from "#wire/templates/present.ts";
import { storedTemplate, templateRefText, templateSummary } from "#wire/templates/shape.ts";
import * as query from "#wire/query.ts";
import { getTemplate } from "#services/templates/get-template.ts";
import { listTemplates } from "#services/templates/list-templates.ts";
import { listTemplateVersions } from "#services/templates/list-template-versions.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const common = { method: "get", tag: "Templates" } as const;
const params = z.object({ ref: templateRefText });

const list = endpoint("listTemplates", {
  ...common,
  path: "/v1/templates",
  summary: "Lists templates by name: the newest version of each",
  request: { query: query.pageQuery },
  answer: query.pageOf(templateSummary),
});

const read = endpoint("getTemplate", {
  ...common,
  path: "/v1/templates/{ref}",
  summary: "Reads a template by name (the newest version) or name@version",
  request: { params, query: query.plainQuery },
  answer: storedTemplate,
});

const versions = endpoint("listTemplateVersions", {
  ...common,
  path: "/v1/templates/{ref}/versions",
  summary: "Lists all versions of a name, newest first",
  request: { params, query: query.pageQuery },
  answer: query.pageOf(templateSummary),
});

export const templateViews = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(list, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const page = await listTemplates(c.var.deps, c.var.caller, { cursor, limit });
    return answer(c, page, ({ data, nextCursor }) => ({ data: data.map(presentTemplateSummary), nextCursor }));
  })
  .openapi(read, async (c) => {
    const result = await getTemplate(c.var.deps, c.var.caller, { template: c.req.valid("param").ref });
    return answer(c, result, presentTemplate);
  })
  .openapi(versions, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { name: c.req.valid("param").ref, cursor, limit };
    const page = await listTemplateVersions(c.var.deps, c.var.caller, input);
    return answer(c, page, ({ data, nextCursor }) => ({ data: data.map(presentTemplateSummary), nextCursor }));
  });
