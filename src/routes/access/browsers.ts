// Access for pages: who the caller is, sessions of browsers, and short-lived tokens for embedded pages.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { sessionLifetime } from "#schema/limits/sessions.ts";
import { presentCaller, presentSession, presentToken } from "#wire/access/present.ts";
import { callerView, issuedToken, issueTokenBody, openSessionBody, session } from "#wire/access/shape.ts";
import * as query from "#wire/query.ts";
import { describeCaller } from "#services/caller/describe-caller.ts";
import { endOwnSession, endSession, listSessions, openSession } from "#services/caller/sessions.ts";
import { issueToken } from "#services/caller/short-lived-tokens.ts";
import { answer } from "../http/answer.ts";
import type { AppEnv } from "../http/context.ts";
import { clearSessionCookie, setSessionCookie } from "../http/credentials.ts";
import { crudRoutes } from "../http/crud.ts";
import { endpoint, jsonBody } from "../http/endpoint.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";

const tag = "Tenants and keys";

const me = endpoint("getCaller", {
  method: "get",
  path: "/v1/me",
  tag,
  summary: "Get the caller",
  description: "Returns the credential of this request, its scopes, and its tenant with the quotas.",
  request: { query: query.plainQuery },
  answer: callerView,
});

const open = endpoint("openSession", {
  method: "post",
  path: "/v1/sessions",
  tag,
  summary: "Create a session",
  description:
    "Exchanges the API key of this request for a cookie that scripts cannot read. A browser that calls the API from a page of the engine's own origin then needs no key. The session has the key's scopes, and ends with the key. A repeated request opens another session, because the cookie's secret is not stored.",
  request: { query: query.plainQuery, body: jsonBody(openSessionBody, false) },
  answer: session,
  status: 201,
});

const close = endpoint("endOwnSession", {
  method: "delete",
  path: "/v1/sessions/current",
  tag,
  summary: "Delete the session of this request",
  description: "Deletes the session and its cookie. Does nothing if the request has no session.",
  request: { query: query.plainQuery },
  answer: null,
});

const issue = endpoint("issueToken", {
  method: "post",
  path: "/v1/tokens",
  tag,
  summary: "Create a short-lived token",
  description:
    "Returns a token for a page that shows one execution, or for a script. The token has at most the key's scopes. It cannot be revoked alone: it ends when it expires, or with its key.",
  request: { query: query.plainQuery, body: jsonBody(issueTokenBody) },
  answer: issuedToken,
  status: 201,
});

export const access = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(me, async (c) => answer(c, await describeCaller(c.var.deps, c.var.installationCaller), presentCaller))
  .openapi(open, async (c) => {
    const { lifetime = sessionLifetime.default } = c.req.valid("json") ?? {};
    const ms = lengthMs(lifetime);
    const opened = await openSession(c.var.deps, c.var.caller, { lifetime: ms });
    if (opened.ok) setSessionCookie(c, opened.value.secret, ms);
    return answer(c, opened, ({ session: view }) => presentSession(view), 201);
  })
  .openapi(close, async (c) => {
    await endOwnSession(c.var.deps, c.var.installationCaller);
    clearSessionCookie(c);
    return c.body(null, 204);
  })
  .openapi(issue, async (c) => {
    const { scopes, execution = null, lifetime } = c.req.valid("json");
    const input = { scopes, execution, lifetime: lengthMs(lifetime) };
    return answer(c, await issueToken(c.var.deps, c.var.caller, input), presentToken, 201);
  });

export const sessions = crudRoutes({
  tag,
  path: "/v1/sessions/{id}",
  params: z.object({ id: z.string().min(1).max(100) }),
  list: {
    id: "listSessions",
    summary: "List sessions",
    query: query.pageQuery,
    run: listSessions,
    answer: session,
    present: presentSession,
  },
  remove: {
    id: "endSession",
    summary: "Delete a session",
    description: "The session stops working everywhere within 30 seconds.",
    run: endSession,
    answer: session,
    present: presentSession,
  },
});
