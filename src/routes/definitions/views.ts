// Reading definitions.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { definitionRefText, definitionSummary, storedDefinition } from "#wire/definitions/shape.ts";
import { presentDefinition, presentDefinitionSummary } from "#wire/definitions/present.ts";
import * as query from "#wire/query.ts";
import { getDefinition } from "#services/definitions/get-definition.ts";
import { listDefinitions } from "#services/definitions/list-definitions.ts";
import { listDefinitionVersions } from "#services/definitions/list-definition-versions.ts";
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
    const page = await listDefinitions(c.var.deps, c.var.caller, { cursor, limit });
    return answer(c, page, ({ data, nextCursor }) => ({ data: data.map(presentDefinitionSummary), nextCursor }));
  })
  .openapi(read, async (c) => {
    const input = { definition: c.req.valid("param").ref, version: null };
    return answer(c, await getDefinition(c.var.deps, c.var.caller, input), presentDefinition);
  })
  .openapi(versions, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { name: c.req.valid("param").ref, cursor, limit };
    const page = await listDefinitionVersions(c.var.deps, c.var.caller, input);
    return answer(c, page, ({ data, nextCursor }) => ({ data: data.map(presentDefinitionSummary), nextCursor }));
  })
  .openapi(readVersion, async (c) => {
    const { ref, version } = c.req.valid("param");
    const result = await getDefinition(c.var.deps, c.var.caller, { definition: ref, version });
    return answer(c, result, presentDefinition);
  });
