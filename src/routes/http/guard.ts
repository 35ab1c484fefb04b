// The guard: checks every request before its handler: key, scope, tenant, origin, headers, Idempotency-Key and body.
import type { HonoRequest } from "hono";
import { createMiddleware } from "hono/factory";
import { idempotencyKey } from "#schema/values.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { admitOrigin, authenticate, requireScope } from "#services/caller/authenticate.ts";
import type { Caller } from "#services/deps.ts";
import { access, type Access, type EndpointId } from "./endpoint-access.ts";
import { bearerOf, isFromOwnPage, requestedTenant, sessionCookieOf } from "./credentials.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { readBody } from "./body.ts";
import { isHeaderSupported } from "./conditions.ts";
import { refuseUnsupportedHeaders } from "./unsupported-headers.ts";
import { answerProblem } from "./problem.ts";
import { withoutPayloads } from "./answer.ts";
import { resolveTenant } from "./request-tenant.ts";

export function guard(endpoint: EndpointId) {
  const required: Access = access[endpoint];
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = await authorize(c, required);
    if (!caller.ok) return answerProblem(c, caller.refusal);
    const origin = await originRefusal(c, caller.value);
    if (origin !== null) return answerProblem(c, origin);
    const ignored = refuseUnsupportedHeaders(c.req, endpoint);
    if (ignored !== null) return answerProblem(c, ignored.refusal);
    const key = readKey(c, endpoint);
    if (!key.ok) return answerProblem(c, key.refusal);
    const refusal = /^(POST|PUT|PATCH)$/.test(c.req.method) ? await readBody(c, endpoint) : null;
    if (refusal !== null) return answerProblem(c, refusal);
    const { tenant } = caller.value;
    c.set("installationCaller", caller.value);
    if (tenant !== null) c.set("caller", { ...caller.value, tenant });
    c.set("idempotencyKey", key.value);
    await next();
    c.res = await withoutPayloads(endpoint, caller.value, c.res);
    return undefined;
  });
}

async function authorize(c: AppContext, required: Access): Promise<Result<Caller>> {
  const deps = c.get("deps");
  const caller = await authenticate(deps, bearerOf(c.req) ?? sessionCookieOf(c));
  if (!caller.ok) return caller;
  const may = requireScope(caller.value, required.scope);
  if (!may.ok) return may;
  const { execution } = caller.value;
  if (execution !== undefined && !isAboutExecution(c.req, execution)) return refuse(otherThanExecution(execution));
  return resolveTenant(deps, caller.value, requestedTenant(c.req), required.tenant);
}

/**
 * Refuses origins other than the dashboard's own. WebSockets are checked, too, because a browser lets any page open and
 * read a WebSocket.
 */
async function originRefusal(c: AppContext, caller: Caller): Promise<Refusal | null> {
  if (caller.via === "session") return isFromOwnPage(c.req) ? null : notFromOwnPage;
  const origin = c.req.header("Origin");
  if (origin === undefined || origin === new URL(c.req.url).origin) return null;
  const admitted = await admitOrigin(c.var.deps, caller, origin);
  return admitted.ok ? null : admitted.refusal;
}

/** Returns whether the request reads this execution. The path of its reads begins with that of the execution. */
function isAboutExecution(request: HonoRequest, execution: string): boolean {
  const path = `/v1/executions/${execution}`;
  const isRead = request.method === "GET" && (request.path === path || request.path.startsWith(`${path}/`));
  return isRead || request.path === "/v1/me";
}

function otherThanExecution(execution: string) {
  return {
    code: "scope_missing",
    message: `This token may only read ${execution}.`,
    hint: "Request a token without `execution`, or call the endpoint from your server.",
  } as const;
}

const notFromOwnPage: Refusal = {
  code: "origin_not_allowed",
  message: "A session may be used only by pages of the engine's own origin.",
  hint: "Send an API key or a short-lived token in the Authorization header.",
};

function readKey(c: AppContext, endpoint: EndpointId): Result<string | null> {
  const header = c.req.header("Idempotency-Key");
  const isRead = c.req.method === "POST" || isHeaderSupported(endpoint, "Idempotency-Key");
  if (header === undefined || !isRead) return accept(null);
  const checked = idempotencyKey.safeParse(header);
  if (checked.success) return accept(checked.data);
  const message = checked.error.issues.map((issue) => issue.message).join("; ");
  return refuse({
    code: "invalid_input",
    message: `The header Idempotency-Key is not valid: ${message}.`,
    errors: [{ pointer: "Idempotency-Key", code: "invalid_format", message }],
  });
}
