// Reading message templates.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentTemplate, presentTemplateSummary } from "#wire/templates/present.ts";
import { storedTemplate, templateRefText, templateSummary } from "#wire/templates/shape.ts";
import * as query from "#wire/query.ts";
import { templateNoun } from "#services/templates/template-noun.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { listLatest } from "#services/versioned/list-latest.ts";
import { listVersions } from "#services/versioned/list-versions.ts";
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
    const page = await listLatest(c.var.deps, c.var.caller, templateNoun, { cursor, limit });
    return answer(c, page, query.presentPage(presentTemplateSummary));
  })
  .openapi(read, async (c) => {
    const result = await getVersion(c.var.deps, c.var.caller, templateNoun, c.req.valid("param").ref);
    return answer(c, result, presentTemplate);
  })
  .openapi(versions, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { name: c.req.valid("param").ref, cursor, limit };
    const page = await listVersions(c.var.deps, c.var.caller, templateNoun, input);
    return answer(c, page, query.presentPage(presentTemplateSummary));
  });
