// Message templates: creates, previews and archives versions. Reads are in views.ts.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { archivedDefinition } from "#wire/definitions/shape.ts";
import { presentPreview, presentTemplateSummary } from "#wire/templates/present.ts";
import * as shape from "#wire/templates/shape.ts";
import * as query from "#wire/query.ts";
import {
  createTemplate,
  type CreatedTemplate,
  previewTemplate,
  putTemplate,
  templateNoun,
} from "#services/templates/templates.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { Deps } from "#services/deps.ts";
import { answer, answerPut } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { answerOncePerKey } from "../http/idempotency-key.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Templates";
const params = z.object({ ref: shape.templateRefText });

const create = endpoint("createTemplate", {
  method: "post",
  path: "/v1/templates",
  tag,
  summary: "Create a message template",
  description:
    "Storing the same content again returns the same version, so a deployment can send its templates every time.",
  request: { query: query.changeQuery, body: jsonBody(shape.templateBody) },
  answer: shape.createdTemplate,
  status: 201,
});

const put = endpoint("putTemplate", {
  method: "put",
  path: "/v1/templates/{ref}",
  tag,
  summary: "Create or replace a message template",
  description:
    "`ref` is the template's name, and the body may omit `name`. Other content than that of the newest version is stored as the next version.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.templateBody) },
  answer: shape.putTemplateAnswer,
  status: 201,
});

const preview = endpoint("previewTemplate", {
  method: "post",
  path: "/v1/templates/{ref}/preview",
  tag,
  summary: "Preview a message template",
  request: { params, query: query.plainQuery, body: jsonBody(shape.previewBody, false) },
  answer: shape.preview,
});

const archive = endpoint("archiveTemplate", {
  method: "post",
  path: "/v1/templates/{ref}/archive",
  tag,
  summary: "Archive a message template",
  description: "New definitions cannot use an archived template. Definitions that already use it continue to work.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.archiveTemplateBody, false) },
  answer: archivedDefinition,
});

export const templates = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(create, async (c) => {
    const input = { body: c.req.valid("json"), dryRun: c.req.valid("query").dryRun };
    const result = await answerOncePerKey(c, input, (deps) => createTemplate(deps, c.var.caller, input), withoutBody);
    return answer(
      c,
      result,
      (stored) => presentCreated(stored, input.dryRun),
      ({ created }) => (created && !input.dryRun ? 201 : 200),
    );
  })
  .openapi(put, async (c) => {
    const { dryRun } = c.req.valid("query");
    const sent = { ref: c.req.valid("param").ref, body: c.req.valid("json"), dryRun };
    const write = (precondition: Precondition) => putTemplate(c.var.deps, c.var.caller, { ...sent, precondition });
    return answerPut(c, write, (stored) => presentCreated(stored, dryRun), dryRun ? 200 : 201);
  })
  .openapi(preview, async (c) => {
    const { variables = {} } = c.req.valid("json");
    const input = { template: c.req.valid("param").ref, variables };
    const result = await previewTemplate(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ template, rendered }) => presentPreview(template, rendered));
  })
  .openapi(archive, async (c) => {
    const { reason = null } = c.req.valid("json");
    const { ref: reference } = c.req.valid("param");
    const { dryRun } = c.req.valid("query");
    const change = (deps: Deps) => archiveVersions(deps, c.var.caller, templateNoun, { reference, reason, dryRun });
    const result = await answerOncePerKey(c, { template: reference, reason, dryRun }, change);
    return answer(c, result, (archiving) => ({ ...archiving, dryRun }));
  });

function presentCreated({ template, ...created }: CreatedTemplate, dryRun: boolean) {
  return { template: presentTemplateSummary(template), ...created, dryRun };
}

/** Omits the template's body from the stored response. No response contains it, and the version already stores it. */
function withoutBody(created: CreatedTemplate): CreatedTemplate {
  return { ...created, template: { ...created.template, body: "" } };
}
