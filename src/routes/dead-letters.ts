// Dead letters: list, read, retry and archive them.
import { z } from "zod";
import { controlBody } from "#wire/executions/bodies.ts";
import * as shape from "#wire/dead-letters/shape.ts";
import { presentDeadLetter, presentDeadLetterSummary } from "#wire/dead-letters/present.ts";
import { deadLetterGroups, groupQuery, presentDeadLetterGroups } from "#wire/dead-letters/groups.ts";
import { presentRedriven } from "#wire/dead-letters/redriven.ts";
import * as query from "#wire/query.ts";
import { deadLetterIdText, parseDeadLetterId } from "#schema/ids.ts";
import { archiveDeadLetter, retryDeadLetter, type RedriveResult } from "#services/dead-letters/retry-run.ts";
import { groupDeadLetters } from "#services/dead-letters/group-dead-letters.ts";
import { getDeadLetter, listDeadLetters } from "#services/dead-letters/dead-letters.ts";
import { answer } from "./http/answer.ts";
import { crudRoutes } from "./http/crud.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";

const tag = "Dead letters";
const params = z.object({
  id: deadLetterIdText.transform((id, context) => {
    const name = parseDeadLetterId(id);
    if (name !== null) return name;
    context.addIssue({ code: "custom", message: "must be the id of a dead letter, which begins with dl_" });
    return z.NEVER;
  }),
});

const group = endpoint("groupDeadLetters", {
  method: "get",
  path: "/v1/dead-letter-groups",
  tag,
  summary: "List groups of dead letters",
  description: "Groups dead letters with the same cause, definition and action. The filters are those of the list.",
  request: { query: groupQuery },
  answer: deadLetterGroups,
});

const retry = endpoint("retryDeadLetter", {
  method: "post",
  path: "/v1/dead-letters/{id}/retry",
  tag,
  summary: "Retry a dead letter",
  description:
    "Without `config` and `variables`, the same bytes are sent again under the same idempotency key. With `config` or `variables`, the config is rendered again. A run that is too late is skipped. A dead letter that the definition handled is refused, unless `force` is true.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.retryDeadLetterBody, false) },
  answer: shape.redriven,
});

const archive = endpoint("archiveDeadLetter", {
  method: "post",
  path: "/v1/dead-letters/{id}/archive",
  tag,
  summary: "Archive a dead letter",
  description: "The execution receives the event `action.<actionId>.archived`.",
  request: { params, query: query.changeQuery, body: jsonBody(controlBody, false) },
  answer: shape.redriven,
});

export const deadLetters = crudRoutes({
  tag,
  path: "/v1/dead-letters/{id}",
  params,
  list: {
    id: "listDeadLetters",
    summary: "List dead letters",
    description:
      "Lists runs that failed permanently, including those that the definition handled. The list is read from the catalog, which may lag by a moment.",
    query: shape.deadLetterQuery,
    run: listDeadLetters,
    answer: shape.deadLetterSummary,
    present: presentDeadLetterSummary,
  },
  get: {
    id: "getDeadLetter",
    summary: "Get a dead letter",
    run: (deps, caller, { id }) => getDeadLetter(deps, caller, id),
    answer: shape.deadLetter,
    present: presentDeadLetter,
  },
})
  .openapi(group, async (c) => {
    const { tenant: _tenant, ...filters } = c.req.valid("query");
    return answer(c, await groupDeadLetters(c.var.deps, c.var.caller, filters), presentDeadLetterGroups);
  })
  .openapi(retry, async (c) => {
    const {
      config = null,
      variables = null,
      force = false,
      resetRetryCount = true,
      reason = null,
    } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const redrive = { config, variables, force, once: !resetRetryCount, reason };
    const input = { ...c.req.valid("param").id, ...redrive, key: c.var.idempotencyKey, dryRun };
    return answer(c, await retryDeadLetter(c.var.deps, c.var.caller, input), present(dryRun));
  })
  .openapi(archive, async (c) => {
    const { reason = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const input = { ...c.req.valid("param").id, reason, key: c.var.idempotencyKey, dryRun };
    return answer(c, await archiveDeadLetter(c.var.deps, c.var.caller, input), present(dryRun));
  });

function present(dryRun: boolean) {
  return ({ reply, run }: RedriveResult) => presentRedriven(reply, run, dryRun);
}
