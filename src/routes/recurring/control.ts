// Recurring control: pauses, resumes and triggers a recurring action, skips an occurrence, and lists occurrences.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import * as body from "#wire/recurring/bodies.ts";
import * as shape from "#wire/recurring/shape.ts";
import * as present from "#wire/recurring/present.ts";
import { controlRecurring } from "#services/recurring/control-recurring.ts";
import { previewRecurring, readHistory } from "#services/recurring/recurring.ts";
import { answer } from "../http/answer.ts";
import { languageOf } from "./language.ts";
import { recurringIdOf } from "./reference.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Recurring actions";
const params = z.object({ id: body.recurringRefText });
const changing = { params, query: body.recurringChangeQuery };

const pause = endpoint("pauseRecurring", {
  method: "post",
  path: "/v1/recurring/{id}/pause",
  tag,
  summary: "Pause a recurring action",
  description: "The pause also holds an occurrence that is delayed by jitter. Work that was already started continues.",
  request: { ...changing, body: jsonBody(body.pauseRecurringBody, false) },
  answer: shape.switchedRecurring,
});

const resume = endpoint("resumeRecurring", {
  method: "post",
  path: "/v1/recurring/{id}/resume",
  tag,
  summary: "Resume a recurring action",
  description: "The occurrences that the pause held back add one line to the history. At most one of them is started.",
  request: { ...changing, body: jsonBody(body.resumeRecurringBody, false) },
  answer: shape.switchedRecurring,
});

const trigger = endpoint("triggerRecurring", {
  method: "post",
  path: "/v1/recurring/{id}/trigger",
  tag,
  summary: "Trigger a recurring action now",
  description:
    "Starts an occurrence now. The overlap policy applies. The occurrence does not count towards max_executions, and all other occurrences keep their instants.",
  request: { ...changing, body: jsonBody(body.pauseRecurringBody, false) },
  answer: shape.changedOccurrence,
});

const skip = endpoint("skipRecurring", {
  method: "post",
  path: "/v1/recurring/{id}/skip",
  tag,
  summary: "Skip an occurrence",
  request: { ...changing, body: jsonBody(body.skipRecurringBody, false) },
  answer: shape.changedOccurrence,
});

const history = endpoint("getRecurringHistory", {
  method: "get",
  path: "/v1/recurring/{id}/history",
  tag,
  summary: "List past occurrences",
  description:
    "Lists the occurrences of the last seven days. Each occurrence has one outcome. Several occurrences with the same outcome may share a line.",
  request: { params, query: body.recurringHistoryQuery },
  answer: shape.recurringHistory,
});

const occurrences = endpoint("getRecurringOccurrences", {
  method: "get",
  path: "/v1/recurring/{id}/occurrences",
  tag,
  summary: "Preview coming occurrences",
  description: "Returns the next `count` occurrences, or at most `count` of those between `from` and `to`.",
  request: { params, query: body.occurrencesQuery },
  answer: shape.recurringOccurrences,
});

type Verb = Parameters<typeof controlRecurring>[2]["verb"];
type SentFields = {
  readonly namespace?: string | undefined;
  readonly dryRun: boolean;
  readonly reason?: string | undefined;
};

export const recurringControl = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(pause, async (c) => {
    const sent = { ...c.req.valid("query"), ...c.req.valid("json") };
    return answer(c, await sendVerb(c, { verb: "pause" }, sent), present.presentSwitched);
  })
  .openapi(resume, async (c) => {
    const { catch_up: catchUp = "none", ...more } = c.req.valid("json");
    const sent = { ...c.req.valid("query"), ...more };
    return answer(c, await sendVerb(c, { verb: "resume", catchUp }, sent), present.presentSwitched);
  })
  .openapi(trigger, async (c) => {
    const sent = { ...c.req.valid("query"), ...c.req.valid("json") };
    return answer(c, await sendVerb(c, { verb: "trigger" }, sent), present.presentChanged(sent.dryRun));
  })
  .openapi(skip, async (c) => {
    const { occurrence, ...more } = c.req.valid("json");
    const sent = { ...c.req.valid("query"), ...more };
    const nominal = occurrence === undefined ? null : Date.parse(occurrence);
    return answer(c, await sendVerb(c, { verb: "skip", nominal }, sent), present.presentChanged(sent.dryRun));
  })
  .openapi(history, async (c) => {
    const { cursor = null, limit, namespace = null } = c.req.valid("query");
    const id = await recurringIdOf(c);
    if (!id.ok) return answerProblem(c, id.refusal);
    const page = await readHistory(c.var.deps, c.var.caller, { id: id.value, namespace, cursor, limit });
    return answer(c, page, ({ data, nextCursor }) => ({
      history: data.map(present.presentOccurrence),
      next_cursor: nextCursor,
    }));
  })
  .openapi(occurrences, async (c) => {
    const { namespace = null, count = null, from = null, to = null } = c.req.valid("query");
    const id = await recurringIdOf(c);
    if (!id.ok) return answerProblem(c, id.refusal);
    const input = { id: id.value, namespace, count, from, to };
    const result = await previewRecurring(c.var.deps, c.var.caller, input);
    return answer(c, result, ({ timezone, occurrences: found, hasMore }) => ({
      timezone,
      occurrences: found.map(present.presentComing),
      has_more: hasMore,
    }));
  });

async function sendVerb(c: AppContext, verb: Verb, { namespace, dryRun, reason }: SentFields) {
  const { deps, caller, idempotencyKey: key } = c.var;
  const id = await recurringIdOf(c);
  if (!id.ok) return id;
  const name = { id: id.value, namespace: namespace ?? null, language: languageOf(c) };
  return controlRecurring(deps, caller, { ...name, verb, key, reason: reason ?? null, dryRun });
}
