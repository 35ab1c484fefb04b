// Publishing: publishes and rolls back versions of a definition, diffs them, and lists past publications.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { presentPublication, presentPublished, presentRolledBack } from "#wire/definitions/present-publishing.ts";
import { definitionDiff, diffInlineBody, diffInlineQuery, diffQuery, presentDiff } from "#wire/definitions/diffing.ts";
import * as shape from "#wire/definitions/publishing.ts";
import { definitionRefText } from "#wire/definitions/shape.ts";
import * as query from "#wire/query.ts";
import { diffInline, diffVersions } from "#services/definitions/diff-versions.ts";
import { listPublications, publishDefinition } from "#services/definitions/publications.ts";
import { rollBackDefinition } from "#services/definitions/roll-back-definition.ts";
import type { Result } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";
import { answer } from "../http/answer.ts";
import { answerOncePerKey } from "../http/idempotency-key.ts";
import { readIfMatch } from "../http/conditions.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { withoutBody } from "./without-body.ts";

const tag = "Definitions";
const params = z.object({ ref: definitionRefText });

const publish = endpoint("publishDefinition", {
  method: "post",
  path: "/v1/definitions/{ref}/publish",
  tag,
  summary: "Publish a version",
  description:
    "Starts that name no version then use the published version. Running executions keep their version. All tests of the version that are `blocking` must pass.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.publishBody, false) },
  answer: shape.publishedDefinition,
});

const rollBack = endpoint("rollBackDefinition", {
  method: "post",
  path: "/v1/definitions/{ref}/rollback",
  tag,
  summary: "Roll back a definition",
  description:
    "The name refers to the previously published version again. If the request names a version (`order@3`), the rollback requires that this version is published now. Tests are not run.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.rollBackBody, false) },
  answer: shape.rolledBackDefinition,
});

const diff = endpoint("diffDefinition", {
  method: "get",
  path: "/v1/definitions/{ref}/diff",
  tag,
  summary: "Diff two versions",
  description:
    "Without `from` and `to`, compares the newest draft with the published version. If there is no draft, compares the published version with the version published before.",
  request: { params, query: diffQuery },
  answer: definitionDiff,
});

const diffing = endpoint("diffInlineDefinition", {
  method: "post",
  path: "/v1/definitions/diff",
  tag,
  summary: "Diff an unsaved definition",
  description:
    "Compares the definition in the body with the published version, or with the version in `from`. Nothing is stored.",
  request: { query: diffInlineQuery, body: jsonBody(diffInlineBody) },
  answer: definitionDiff,
});

const history = endpoint("listPublications", {
  method: "get",
  path: "/v1/definitions/{ref}/publications",
  tag,
  summary: "List publications of a definition",
  description: "Lists the publications and rollbacks of a definition's name, the newest first.",
  request: { params, query: query.pageQuery },
  answer: query.pageOf(shape.publication),
});

export const definitionPublishing = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(publish, async (c) => {
    const { reason = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const revision = readIfMatch(c);
    if (!revision.ok) return answerProblem(c, revision.refusal);
    const input = { reference: c.req.valid("param").ref, reason, ifPublication: revision.value, dryRun };
    const change = (deps: Deps) => publishDefinition(deps, c.var.caller, input);
    const result = await answerOncePerKey(c, input, change, withoutBody);
    return answer(withETag(c, result), result, (done) => presentPublished(done, dryRun));
  })
  .openapi(rollBack, async (c) => {
    const { reason = null, to = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const revision = readIfMatch(c);
    if (!revision.ok) return answerProblem(c, revision.refusal);
    const input = { reference: c.req.valid("param").ref, to, reason, ifPublication: revision.value, dryRun };
    const change = (deps: Deps) => rollBackDefinition(deps, c.var.caller, input);
    const result = await answerOncePerKey(c, input, change, withoutBody);
    return answer(withETag(c, result), result, (done) => presentRolledBack(done, dryRun));
  })
  .openapi(diffing, async (c) => {
    const { from = null, cursor = null, limit } = c.req.valid("query");
    const { definition: body } = c.req.valid("json");
    return answer(c, await diffInline(c.var.deps, c.var.caller, { body, from, cursor, limit }), presentDiff);
  })
  .openapi(diff, async (c) => {
    const { from = null, to = null, cursor = null, limit } = c.req.valid("query");
    const input = { reference: c.req.valid("param").ref, from, to, cursor, limit };
    return answer(c, await diffVersions(c.var.deps, c.var.caller, input), presentDiff);
  })
  .openapi(history, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const page = await listPublications(c.var.deps, c.var.caller, { name: c.req.valid("param").ref, cursor, limit });
    return answer(c, page, query.presentPage(presentPublication));
  });

/** Sets ETag to the number of the publication. The client sends this number as If-Match with its next change. */
function withETag<C extends AppContext>(c: C, result: Result<{ readonly publication: number }>): C {
  if (result.ok) c.header("ETag", `"${result.value.publication}"`);
  return c;
}
