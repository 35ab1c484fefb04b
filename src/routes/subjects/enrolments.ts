// Enrolments: enrolls many subjects in a journey, from a list that is uploaded in parts and processed as an operation.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { defaults } from "#schema/defaults.ts";
import { operationIdText } from "#schema/ids.ts";
import { definitionRefText } from "#wire/definitions/shape.ts";
import { presentOperation } from "#wire/operations/present.ts";
import { changedOperation } from "#wire/operations/shape.ts";
import * as query from "#wire/query.ts";
import * as shape from "#wire/subjects/enrolments.ts";
import { appendPart, listTroubles, openEnrolment, startList } from "#services/operations/open-enrolment.ts";
import { previewEnrolment } from "#services/operations/preview-operation.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Subjects";
const params = z.object({ id: operationIdText });

const open = endpoint("openEnrolment", {
  method: "post",
  path: "/v1/definitions/{ref}/enrolments",
  tag,
  summary: "Open an enrolment list",
  description:
    "Opens a list. Upload its lines in parts, test the list with a dry run, then start it. All subjects are enrolled in the version that is published now. A list that is not started within a week is deleted. GET /v1/operations/{id} shows the progress. To end the list, abort the operation.",
  request: {
    params: z.object({ ref: definitionRefText }),
    query: query.plainQuery,
    body: jsonBody(shape.openEnrolmentBody, false),
  },
  answer: changedOperation,
  status: 201,
});

const append = endpoint("appendEnrolmentPart", {
  method: "put",
  path: "/v1/operations/{id}/parts/{part}",
  tag,
  summary: "Upload a part of an enrolment",
  description:
    "Parts may arrive in any order. A repeated part with the same lines changes nothing. An invalid line is refused when it is processed and does not stop other lines.",
  request: { params: shape.partParams, query: query.plainQuery, body: jsonBody(shape.partBody) },
  answer: shape.appendedPart,
});

const start = endpoint("startEnrolment", {
  method: "post",
  path: "/v1/operations/{id}/start",
  tag,
  summary: "Start an enrolment",
  description:
    "After the start the list accepts no more parts. A dry run checks a sample of the lines and returns how many would be refused, with the reasons.",
  request: { params, query: query.changeQuery },
  answer: changedOperation,
  status: 202,
  dryAnswer: shape.enrolmentPreview,
});

const troubles = endpoint("listEnrolmentTroubles", {
  method: "get",
  path: "/v1/operations/{id}/troubles",
  tag,
  summary: "List failures of an operation",
  description:
    "Lists the lines that were not enrolled, or the executions that the verb did not change. The list is stored for one week after the end of the operation.",
  request: { params, query: query.pageQuery },
  answer: query.pageOf(shape.lineTrouble),
});

export const enrolments = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(open, async (c) => {
    const {
      namespace = defaults.namespace,
      perSecond = defaults.enrolledPerSecond,
      reason = null,
    } = c.req.valid("json");
    const { deps, caller, idempotencyKey: key } = c.var;
    const input = { definition: c.req.valid("param").ref, namespace, perSecond, reason, key };
    return answer(
      c,
      await openEnrolment(deps, caller, input),
      (opened) => ({ ...opened, operation: presentOperation(opened.operation), dryRun: false }),
      ({ repeated }) => (repeated ? 200 : 201),
    );
  })
  .openapi(append, async (c) => {
    const { id: operation, part } = c.req.valid("param");
    const { lines } = c.req.valid("json");
    return answer(c, await appendPart(c.var.deps, c.var.caller, { operation, part, lines }), (appended) => ({
      ...appended,
    }));
  })
  .openapi(start, async (c) => {
    const { deps, caller } = c.var;
    const input = { operation: c.req.valid("param").id };
    if (c.req.valid("query").dryRun) {
      return answer(c, await previewEnrolment(deps, caller, input), ({ refused, items, ...preview }) => ({
        dryRun: true as const,
        ...preview,
        refused: { ...refused },
        items: [...items],
      }));
    }
    const result = await startList(deps, caller, input);
    return answer(
      c,
      result,
      (started) => ({ ...started, operation: presentOperation(started.operation), dryRun: false }),
      202,
    );
  })
  .openapi(troubles, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { operation: c.req.valid("param").id, cursor, limit };
    return answer(c, await listTroubles(c.var.deps, c.var.caller, input), ({ data, next }) => ({
      data: data.map((failure) => ({ ...failure })),
      nextCursor: next,
    }));
  });
