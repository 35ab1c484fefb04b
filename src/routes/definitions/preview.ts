// Previews: returns which actions a definition would run and when, before an execution is started.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { definitionRefText } from "#wire/definitions/shape.ts";
import { calendarParts } from "#wire/preview/parts.ts";
import * as shape from "#wire/preview/shape.ts";
import * as query from "#wire/query.ts";
import type { Json } from "#schema/json.ts";
import { previewDefinition, type PreviewDefinition } from "#services/preview/preview-definition.ts";
import { answerProblem } from "../http/problem.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { streamResponse } from "../http/stream-response.ts";

const mediaTypes = { json: "application/json", csv: "text/csv", ics: "text/calendar" } as const;
const formatQuery = query.plainQuery.extend({
  format: z
    .enum(shape.formats)
    .optional()
    .meta({ description: "The format of the response. It overrides the header Accept." }),
});

const shared = {
  method: "post",
  tag: "Definitions",
  description:
    "Returns each action that the definition would execute for the given subjects, computed on a virtual clock. Each row has the local time, the cause of a hold, the outcome, and the assumptions. Stores and sends nothing. The response is streamed as JSON, `text/csv` or `text/calendar`.",
  answer: shape.previewedDefinition,
  alsoAs: [mediaTypes.csv, mediaTypes.ics],
} as const;

const previewStored = endpoint("previewDefinition", {
  ...shared,
  path: "/v1/definitions/{ref}/preview",
  summary: "Preview a definition",
  request: { params: z.object({ ref: definitionRefText }), query: formatQuery, body: jsonBody(shape.previewBody) },
});

const previewInline = endpoint("previewInlineDefinition", {
  ...shared,
  path: "/v1/definitions/preview",
  summary: "Preview an unsaved definition",
  request: { query: formatQuery, body: jsonBody(shape.inlinePreviewBody) },
});

export const definitionPreviews = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(previewInline, async (c) => {
    const { definition, ...body } = c.req.valid("json");
    const input = previewInput({ body: definition, at: "/definition" }, body);
    return answerCalendar(c, input, c.req.valid("query").format);
  })
  .openapi(previewStored, async (c) => {
    const input = previewInput({ reference: c.req.valid("param").ref }, c.req.valid("json"));
    return answerCalendar(c, input, c.req.valid("query").format);
  });

async function answerCalendar(c: AppContext, input: PreviewDefinition, requestedFormat: shape.Format | undefined) {
  const format = requestedFormat ?? formatOf(c.req.header("Accept") ?? "");
  if (format === "ics" && input.compare !== null) return answerProblem(c, noChanges);
  const result = await previewDefinition(c.var.deps, c.var.caller, input);
  if (!result.ok) return answerProblem(c, result.refusal);
  const parts = calendarParts(format, result.value, input.contents);
  return streamResponse(parts, {
    "Content-Type": format === "json" ? mediaTypes.json : `${mediaTypes[format]}; charset=utf-8`,
    Vary: "Accept",
  });
}

/** Returns the first supported format in the Accept header, or JSON if the header names none. */
function formatOf(accept: string): shape.Format {
  const named = accept.split(",").map((part) => part.split(";")[0]?.trim());
  const found = named.find((type) => type === mediaTypes.csv || type === mediaTypes.ics || type === mediaTypes.json);
  return found === mediaTypes.csv ? "csv" : found === mediaTypes.ics ? "ics" : "json";
}

const NO_CHANGES = "iCalendar cannot express changes";
const noChanges = {
  code: "invalid_input",
  message: `A comparison is available as JSON or CSV only: ${NO_CHANGES}.`,
  errors: [{ pointer: "?format", code: "invalid_value", message: NO_CHANGES, hint: "Use json or csv." }],
} as const;

function previewInput(definition: PreviewDefinition["definition"], body: shape.ReadPreview): PreviewDefinition {
  const { subjects, startAt = null, from = null, until = null, given = [], assume = {}, contents = false } = body;
  const { connections = null } = body;
  const input = { definition, subjects, startAt, from, until, given, assume, contents, connections };
  return { ...input, compare: compareOf(body.compare) };
}

function compareOf(input: shape.ReadPreview["compare"]): PreviewDefinition["compare"] {
  if (input === undefined) return null;
  const { variables = {}, given = null, assume = null } = input;
  return { definition: comparedDefinition(input.definition), variables, given, assume };
}

function comparedDefinition(input: Json | undefined): NonNullable<PreviewDefinition["compare"]>["definition"] {
  if (input === undefined) return null;
  return typeof input === "string" ? { reference: input } : { body: input, at: "/compare/definition" };
}
