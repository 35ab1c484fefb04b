// Execution commands: sends events, patches and control verbs to a live execution.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { cancelBody, controlBody, eventBody, patchBody, runNowBody } from "#wire/executions/bodies.ts";
import { retryRunBody } from "#wire/dead-letters/shape.ts";
import { eventFields, ofEvent } from "#wire/executions/fields.ts";
import { execution } from "#wire/executions/shape.ts";
import { eventReply, reply } from "#wire/history/shape.ts";
import { presentExecution } from "#wire/executions/present.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { accept } from "#schema/refusal.ts";
import type { RunNowTarget } from "#schema/engine/input.ts";
import { cancelExecution, sendEvent } from "#services/executions/control-execution.ts";
import { pokeExecution } from "#services/cells/read-state.ts";
import { retryDeadLetter } from "#services/dead-letters/retry-run.ts";
import type { EndpointId } from "../http/endpoint-access.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { control, ifStateField, type VerbRequest } from "./control.ts";

const params = z.object({ id: executionIdText });
const common = { method: "post", tag: "Steering", answer: reply } as const;
const withBody = <Body extends z.ZodType>(body: Body, required = true) => ({
  params,
  query: query.changeQuery,
  body: jsonBody(body, required),
});

const event = endpoint("sendEvent", {
  ...common,
  path: "/v1/executions/{id}/events",
  summary: "Send an event",
  description:
    "An event that arrives before a state accepts it is stored until then. An event that is too late, or that no state accepts, is refused.",
  request: { ...withBody(eventBody), query: query.changeQuery.extend({ fields: eventFields }) },
  answer: eventReply,
});

const patch = endpoint("patchExecution", {
  ...common,
  path: "/v1/executions/{id}/patch",
  summary: "Patch variables",
  description: "Timers that depend on a changed variable are rescheduled; the response lists the changes.",
  request: withBody(patchBody),
});

const runNow = endpoint("runNow", {
  ...common,
  path: "/v1/executions/{id}/run-now",
  summary: "Start a run or timer now",
  request: withBody(runNowBody),
});

const retry = endpoint("retryRun", {
  ...common,
  path: "/v1/executions/{id}/retry",
  summary: "Retry a failed run",
  description: "Has the same effect as a retry of the run's dead letter. The request names the execution and the run.",
  request: withBody(retryRunBody),
});

const poke = endpoint("pokeExecution", {
  ...common,
  path: "/v1/executions/{id}/poke",
  summary: "Wake an execution",
  description:
    "Executes all work of the execution that is due now. The request is safe at any time. The engine also wakes overdue executions automatically.",
  request: withBody(controlBody, false),
  answer: execution,
});

/** Declares the endpoint of a verb whose body contains only a reason. */
function verb<const Verb extends "pause" | "resume">(id: EndpointId, name: Verb, summary: string) {
  const request = withBody(controlBody, false);
  return endpoint(id, { ...common, path: `/v1/executions/{id}/${name}`, summary, request });
}

const pause = verb("pauseExecution", "pause", "Pause an execution");
const resume = verb("resumeExecution", "resume", "Resume an execution");
const cancel = endpoint("cancelExecution", {
  ...common,
  path: "/v1/executions/{id}/cancel",
  summary: "Cancel an execution",
  description:
    "The setting `onCancel` of each live child decides what happens to the child. `children` in this request overrides the setting.",
  request: withBody(cancelBody, false),
});

export const executionCommands = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(event, async (c) => {
    const { type, id = null, payload = null, source = null, correlationId = null } = c.req.valid("json");
    const send = (request: VerbRequest) =>
      sendEvent(c.var.deps, c.var.caller, { ...request, id, type, payload, source, correlationId });
    return control(c, c.req.valid("param").id, send, ofEvent(c.req.valid("query").fields));
  })
  .openapi(patch, async (c) => {
    const { variables, reason = null } = c.req.valid("json");
    return control(c, c.req.valid("param").id, { kind: "patch", variables, reason });
  })
  .openapi(runNow, async (c) => {
    const { reason = null, ...named } = c.req.valid("json");
    return control(c, c.req.valid("param").id, { kind: "runNow", target: targetOf(named), reason });
  })
  .openapi(retry, async (c) => {
    const {
      run,
      config = null,
      variables = null,
      force = false,
      resetRetryCount = true,
      reason = null,
    } = c.req.valid("json");
    // With `once`, the run gets a single further attempt, because its retry count is not reset.
    const retryOptions = { run, config, variables, force, once: !resetRetryCount, reason };
    return control(c, c.req.valid("param").id, async (request) => {
      const retried = await retryDeadLetter(c.var.deps, c.var.caller, { ...request, ...retryOptions });
      return retried.ok ? accept(retried.value.reply) : retried;
    });
  })
  .openapi(poke, async (c) => {
    const input = { execution: c.req.valid("param").id, dryRun: c.req.valid("query").dryRun };
    return answer(c, await pokeExecution(c.var.deps, c.var.caller, input), (state) => presentExecution(state));
  })
  .openapi(pause, async (c) => {
    return control(c, c.req.valid("param").id, { kind: "pause", reason: c.req.valid("json").reason ?? null });
  })
  .openapi(resume, async (c) => {
    return control(c, c.req.valid("param").id, { kind: "resume", reason: c.req.valid("json").reason ?? null });
  })
  .openapi(cancel, async (c) => {
    const { reason = null, children } = c.req.valid("json");
    const onChildren = children === undefined ? {} : { children };
    return control(c, c.req.valid("param").id, ({ ifState, ...request }) => {
      const command = { kind: "cancel", reason, ...onChildren, ...ifStateField(ifState) } as const;
      return cancelExecution(c.var.deps, c.var.caller, { ...request, verb: command });
    });
  });

type NamedTarget = { readonly [Name in "run" | "timer" | "action"]?: string | undefined };

/**
 * Returns the target that the body names. The body's schema ensures that it names exactly one of run, timer and action.
 */
function targetOf({ run, timer, action }: NamedTarget): RunNowTarget {
  if (run !== undefined) return { run };
  if (timer !== undefined) return { timer };
  if (action !== undefined) return { action };
  throw new Error("the schema of the body must require a target");
}
