// Partial verbs: skip, reschedule, hold, release or complete one run, node, timer or wait of an execution.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { cancelActionBody, completeBody, holdBody, rescheduleBody, skipBody } from "#wire/executions/verb-bodies.ts";
import { reply } from "#wire/history/shape.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import type { NodeOrRun, TimerOrRun } from "#schema/engine/input.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonBody, endpoint } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import { control } from "./control.ts";

const params = z.object({ id: executionIdText });
const common = { method: "post", tag: "Steering", answer: reply } as const;
const withBody = <Body extends z.ZodType>(body: Body) => ({ params, query: query.changeQuery, body: jsonBody(body) });

const skip = endpoint("skipInExecution", {
  ...common,
  path: "/v1/executions/{id}/skip",
  summary: "Skip a run or node",
  description:
    "With a result, the run or node counts as done with that result. A node that was not reached yet is skipped when it is reached.",
  request: withBody(skipBody),
});

const cancelAction = endpoint("cancelActionOfExecution", {
  ...common,
  path: "/v1/executions/{id}/cancel-action",
  summary: "Cancel an action",
  description:
    "Gives up an action that has not ended, and continues the execution as after a skip. A call in flight is aborted, and its effect is unknown. Without `run` and `action`, cancels the only action that has not ended.",
  request: withBody(cancelActionBody),
});

const reschedule = endpoint("reschedule", {
  ...common,
  path: "/v1/executions/{id}/reschedule",
  summary: "Reschedule a run or timer",
  description: "The run or timer keeps the new instant, even if the date that it depended on changes.",
  request: withBody(rescheduleBody),
});

const hold = endpoint("holdRun", {
  ...common,
  path: "/v1/executions/{id}/hold",
  summary: "Hold a run",
  description: "A held run does not start until it is released. The rest of the execution continues.",
  request: withBody(holdBody),
});

const release = endpoint("releaseRun", {
  ...common,
  path: "/v1/executions/{id}/release",
  summary: "Release a held run",
  request: withBody(holdBody),
});

const complete = endpoint("completeWait", {
  ...common,
  path: "/v1/executions/{id}/complete",
  summary: "Complete a wait",
  description:
    "Ends a journey's wait, a node that awaits an event, or a task. To continue a machine, send an event instead.",
  request: withBody(completeBody),
});

export const verbs = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(skip, async (c) => {
    const { result, reason = null, ...named } = c.req.valid("json");
    const withResult = result === undefined ? {} : { result };
    return control(c, c.req.valid("param").id, { kind: "skip", target: nodeOrRun(named), reason, ...withResult });
  })
  .openapi(cancelAction, async (c) => {
    const { result, reason = null, run, action } = c.req.valid("json");
    const withResult = result === undefined ? {} : { result };
    const target = run !== undefined ? { run } : action !== undefined ? { action } : null;
    return control(c, c.req.valid("param").id, { kind: "cancelAction", target, reason, ...withResult });
  })
  .openapi(reschedule, async (c) => {
    const { at, reason = null, ...named } = c.req.valid("json");
    const verb = { kind: "reschedule", target: timerOrRun(named), at: Date.parse(at), reason } as const;
    return control(c, c.req.valid("param").id, verb);
  })
  .openapi(hold, async (c) => {
    const { run, reason = null } = c.req.valid("json");
    return control(c, c.req.valid("param").id, { kind: "hold", run, reason });
  })
  .openapi(release, async (c) => {
    const { run, reason = null } = c.req.valid("json");
    return control(c, c.req.valid("param").id, { kind: "release", run, reason });
  })
  .openapi(complete, async (c) => {
    const { as, payload, reason = null, ...named } = c.req.valid("json");
    const outcome = { ...(as === undefined ? {} : { as }), ...(payload === undefined ? {} : { payload }) };
    return control(c, c.req.valid("param").id, { kind: "complete", target: nodeOrRun(named), reason, ...outcome });
  });

type NamedTarget<Name extends string> = { readonly [name in Name]?: string | undefined };

/** Returns the target that the body names. The body's schema ensures that it names exactly one of node and run. */
function nodeOrRun({ node, run }: NamedTarget<"node" | "run">): NodeOrRun {
  return node === undefined ? { run: run ?? "" } : { node };
}

function timerOrRun({ timer, run }: NamedTarget<"timer" | "run">): TimerOrRun {
  return timer === undefined ? { run: run ?? "" } : { timer };
}
