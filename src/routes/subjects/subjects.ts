// Subjects: the customers that journeys are about. Named by the key from the definition's rules; always the tenant's
// own.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { presentSubject } from "#wire/subjects/present.ts";
import * as shape from "#wire/subjects/shape.ts";
import { eraseSubject, getSubject } from "#services/subjects/subjects.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Subjects";
const params = shape.subjectParams;

const read = endpoint("getSubject", {
  method: "get",
  path: "/v1/subjects/{key}",
  tag,
  summary: "Get a subject",
  request: { params, query: query.plainQuery },
  answer: shape.subject,
});

const erase = endpoint("eraseSubject", {
  method: "delete",
  path: "/v1/subjects/{key}",
  tag,
  summary: "Erase a subject",
  description:
    "Deletes its journeys, cap counts and catalog entries. Journeys that admit a subject once admit it again. Executions are erased separately: the response lists them. Refused with `execution_live` while the subject is in a journey.",
  request: { params, query: query.changeQuery.extend({ reason: value.reason.optional() }) },
  answer: shape.erasedSubject,
});

export const subjects = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) =>
    answer(c, await getSubject(c.var.deps, c.var.caller, c.req.valid("param").key), presentSubject),
  )
  .openapi(erase, async (c) => {
    const { reason = null, dryRun } = c.req.valid("query");
    const result = await eraseSubject(c.var.deps, c.var.caller, { ...c.req.valid("param"), reason, dryRun });
    return answer(c, result, ({ once, executions, key }) => ({
      key,
      dryRun,
      once: [...once],
      executions: [...executions],
    }));
  });
