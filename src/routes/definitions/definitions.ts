// Definitions: stores them as versions, validates and archives them. Reads are in views.ts.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import * as shape from "#wire/definitions/shape.ts";
import { presentCreated } from "#wire/definitions/present.ts";
import * as query from "#wire/query.ts";
import { createDefinition, putDefinition } from "#services/definitions/create-definition.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { reviewDefinition } from "#services/definitions/validate-definition.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { Deps } from "#services/deps.ts";
import { answer, answerPut } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { answerOncePerKey } from "../http/idempotency-key.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { withoutBody } from "./without-body.ts";

const tag = "Definitions";

const createQuery = query.changeQuery.extend({
  draft: query.flag.meta({
    description: "true: stores a draft, which is not published. The tests of a draft may fail.",
  }),
});

const create = endpoint("createDefinition", {
  method: "post",
  path: "/v1/definitions",
  tag,
  summary: "Create a definition",
  description:
    'A request with the same content returns the same version, so a deployment can send its definitions every time. The engine stores an action\'s `template: "welcome"` with the current version, `"welcome@3"`. Unless `draft` is true, the version is published: starts that name no version use it.',
  request: { query: createQuery, body: jsonBody(shape.definitionBody) },
  answer: shape.createdDefinition,
  status: 201,
});

const validate = endpoint("validateDefinition", {
  method: "post",
  path: "/v1/definitions/validate",
  tag,
  summary: "Validate a definition",
  request: { query: query.plainQuery, body: jsonBody(shape.definitionBody) },
  answer: shape.validation,
});

const put = endpoint("putDefinition", {
  method: "put",
  path: "/v1/definitions/{ref}",
  tag,
  summary: "Create or replace a definition",
  description:
    "`ref` is the definition's name, and the body may omit `name`. Other content than that of the published version is stored and published as the next version.",
  request: {
    params: z.object({ ref: shape.definitionRefText }),
    query: query.changeQuery,
    body: jsonBody(shape.definitionBody),
  },
  answer: shape.putDefinitionAnswer,
  status: 201,
});

const archive = endpoint("archiveDefinition", {
  method: "post",
  path: "/v1/definitions/{ref}/archive",
  tag,
  summary: "Archive a definition",
  description: "No new executions start from an archived version. Running executions continue.",
  request: {
    params: z.object({ ref: shape.definitionRefText }),
    query: query.changeQuery,
    body: jsonBody(shape.archiveBody, false),
  },
  answer: shape.archivedDefinition,
});

export const definitions = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(validate, async (c) => {
    const result = await reviewDefinition(c.var.deps, c.var.caller, c.req.valid("json"));
    return answer(c, result, ({ findings, warnings }) => ({
      valid: findings.length === 0,
      findings: [...findings],
      warnings: [...warnings],
    }));
  })
  .openapi(create, async (c) => {
    const { dryRun, draft } = c.req.valid("query");
    const input = { body: c.req.valid("json"), dryRun, draft };
    const change = (deps: Deps) => createDefinition(deps, c.var.caller, input);
    const result = await answerOncePerKey(c, input, change, withoutBody);
    return answer(
      c,
      result,
      (stored) => presentCreated(stored, dryRun),
      ({ created }) => (created && !dryRun ? 201 : 200),
    );
  })
  .openapi(put, async (c) => {
    const { dryRun } = c.req.valid("query");
    const sent = { ref: c.req.valid("param").ref, body: c.req.valid("json"), dryRun };
    const write = (precondition: Precondition) => putDefinition(c.var.deps, c.var.caller, { ...sent, precondition });
    return answerPut(c, write, (stored) => presentCreated(stored, dryRun), dryRun ? 200 : 201);
  })
  .openapi(archive, async (c) => {
    const { reason = null } = c.req.valid("json");
    const { ref: reference } = c.req.valid("param");
    const { dryRun } = c.req.valid("query");
    const change = (deps: Deps) => archiveVersions(deps, c.var.caller, definitionNoun, { reference, reason, dryRun });
    const result = await answerOncePerKey(c, { definition: reference, reason, dryRun }, change);
    return answer(c, result, (archiving) => ({ ...archiving, dryRun }));
  });
