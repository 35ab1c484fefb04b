// Live streams: opens a WebSocket that ends in the execution's object. The object sends the messages.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { problem } from "#wire/problem.ts";
import { executionIdText } from "#schema/ids.ts";
import * as query from "#wire/query.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { callWithRetry } from "#services/cells/call-cell.ts";
import type { AppEnv } from "../http/context.ts";
import { isUpgrade, LIVE_PROTOCOL, protocolsOf } from "../http/credentials.ts";
import { endpoint } from "../http/endpoint.ts";
import { seesPayloads } from "../http/answer.ts";
import { answerProblem } from "../http/problem.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const watch = {
  ...endpoint("watchExecution", {
    method: "get",
    path: "/v1/executions/{id}/live",
    tag: "Executions",
    summary: "Watch an execution over WebSocket",
    description:
      "A browser cannot send the Authorization header with a WebSocket. It requests the protocols `escapement.v1` and `key.<key>` (and `tenant.<id>` with the root key), and the engine accepts the first. The engine closes the WebSocket with 4200 (the execution has ended), 4401 (key revoked or expired), 4408 (one hour is over: reconnect) or 4410 (journal deleted).",
    request: { params: z.object({ id: executionIdText }), query: query.plainQuery },
    answer: problem,
  }),
  responses: { 101: { description: "The WebSocket is open." } },
};

export const live = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid }).openapi(watch, async (c) => {
  if (!isUpgrade(c.req)) return answerProblem(c, upgradeRequired, { Upgrade: "websocket" });
  const { id } = c.req.valid("param");
  const { deps, caller } = c.var;
  const key = caller.session ?? (caller.actor.kind === "key" ? caller.actor.id : null);
  const watcher = { key, until: caller.expiresAt ?? null, showsPayloads: seesPayloads(caller) };
  const opened = await callWithRetry(() => deps.live(cellName(caller.tenant, id), id, watcher, c.req.raw));
  if (!opened.ok) return answerProblem(c, opened.refusal);
  if (opened.value.status === 404)
    return answerProblem(c, { code: "not_found", message: `There is no execution ${id}.` });
  if (opened.value.status !== 101) return answerProblem(c, cannotWatch);
  return protocolsOf(c.req).includes(LIVE_PROTOCOL) ? withProtocol(opened.value) : opened.value;
});

/** Adds the accepted protocol to the response. Without it, a browser that requested protocols would disconnect. */
function withProtocol(opened: Response): Response {
  const headers = new Headers(opened.headers);
  headers.set("Sec-WebSocket-Protocol", LIVE_PROTOCOL);
  return new Response(null, { status: 101, headers, webSocket: opened.webSocket });
}

const cannotWatch = {
  code: "unavailable",
  message: "The execution cannot be watched now.",
  hint: "The execution may have too many watchers. Read the execution's journal instead.",
} as const;

const upgradeRequired = {
  code: "upgrade_required",
  message: "This path accepts WebSocket connections only.",
  hint: "Open a WebSocket. To read the state once, use GET /v1/executions/{id}.",
} as const;
