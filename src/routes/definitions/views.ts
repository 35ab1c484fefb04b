// Reading definitions.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { definitionRefText, definitionSummary, storedDefinition } from "#wire/definitions/shape.ts";
import { presentDefinition, presentDefinitionSummary } from "#wire/definitions/present.ts";
import * as query from "#wire/query.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { listLatest } from "#services/versioned/list-latest.ts";
import { listVersions } from "#services/versioned/list-versions.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const common = { method: "get", tag: "Definitions" } as const;
const params = z.object({ ref: definitionRefText });

const list = endpoint("listDefinitions", {
  ...common,
  path: "/v1/definitions",
  summary: "Lists definitions by name: the newest version of each",
  request: { query: query.pageQuery },
  answer: query.pageOf(definitionSummary),
});

const read = endpoint("getDefinition", {
  ...common,
  path: "/v1/definitions/{ref}",
  summary: "Reads a definition by name (the newest version), name@version, or id",
  request: { params, query: query.plainQuery },
  answer: storedDefinition,
});

const versions = endpoint("listDefinitionVersions", {
  ...common,
  path: "/v1/definitions/{ref}/versions",
  summary: "Lists all versions of a name, newest first",
  request: { params, query: query.pageQuery },
  answer: query.pageOf(definitionSummary),
});

const readVersion = endpoint("getDefinitionVersion", {
  ...common,
  path: "/v1/definitions/{ref}/versions/{version}",
  summary: "Reads one version",
  request: {
    params: params.extend({ version: z.coerce.number().int().min(1).max(999_999_999) }),
    query: query.plainQuery,
  },
  answer: storedDefinition,
});

export const definitionViews = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(list, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const page = await listLatest(c.var.deps, c.var.caller, definitionNoun, { cursor, limit });
    return answer(c, page, query.presentPage(presentDefinitionSummary));
  })
  .openapi(read, async (c) => {
    const result = await getVersion(c.var.deps, c.var.caller, definitionNoun, c.req.valid("param").ref);
    return answer(c, result, presentDefinition);
  })
  .openapi(versions, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { name: c.req.valid("param").ref, cursor, limit };
    const page = await listVersions(c.var.deps, c.var.caller, definitionNoun, input);
    return answer(c, page, query.presentPage(presentDefinitionSummary));
  })
  .openapi(readVersion, async (c) => {
    const { ref, version } = c.req.valid("param");
    const result = await getVersion(c.var.deps, c.var.caller, definitionNoun, ref, version);
    return answer(c, result, presentDefinition);
  });
