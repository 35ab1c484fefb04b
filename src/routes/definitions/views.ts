// Definition reads: the latest version of each name, one version, and all versions of a name.
import { z } from "zod";
import { definitionRefText, definitionSummary, storedDefinition } from "#wire/definitions/shape.ts";
import { presentDefinition, presentDefinitionSummary } from "#wire/definitions/present.ts";
import * as query from "#wire/query.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { answer } from "../http/answer.ts";
import { endpoint } from "../http/endpoint.ts";
import { versionViews } from "../versioned.ts";

const readVersion = endpoint("getDefinitionVersion", {
  method: "get",
  tag: "Definitions",
  path: "/v1/definitions/{ref}/versions/{version}",
  summary: "Get a version",
  request: {
    params: z.object({ ref: definitionRefText, version: z.coerce.number().int().min(1).max(999_999_999) }),
    query: query.plainQuery,
  },
  answer: storedDefinition,
});

export const definitionViews = versionViews({
  noun: definitionNoun,
  plural: "definitions",
  tag: "Definitions",
  ids: { list: "listDefinitions", read: "getDefinition", versions: "listDefinitionVersions" },
  readSummary: "Get a definition",
  ref: definitionRefText,
  summary: definitionSummary,
  stored: storedDefinition,
  presentSummary: presentDefinitionSummary,
  present: presentDefinition,
}).openapi(readVersion, async (c) => {
  const { ref, version } = c.req.valid("param");
  const result = await getVersion(c.var.deps, c.var.caller, definitionNoun, ref, version);
  return answer(c, result, presentDefinition);
});
