// Browser headers: answers CORS preflights and sets Strict-Transport-Security. A preflight carries no key, so the guard
// decides with the actual request whether its origin may call. A page of a refused origin can read the refusal.
import type { MiddlewareHandler } from "hono";
import type { RouterRoute } from "hono/types";
import { CORS_ANSWER_S, HTTPS_TRUST_S } from "#schema/limits/api-requests.ts";
import { methodsAt, patternsOf } from "./addresses.ts";
import type { AppEnv } from "./context.ts";

const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-State, X-Request-Id, X-Tenant";
const RESPONSE_HEADERS = "X-Request-Id, ETag, Retry-After, RateLimit, RateLimit-Policy, Allow, WWW-Authenticate";

/** Runs before all other middleware, because a preflight has no key and changes nothing. */
export function browserHeaders(routesOf: () => readonly RouterRoute[]): MiddlewareHandler<AppEnv> {
  let addresses: ReturnType<typeof patternsOf> | null = null;
  return async (c, next) => {
    const origin = c.req.header("Origin");
    const isPreflight = c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
    if (origin !== undefined && isPreflight) {
      addresses ??= patternsOf(routesOf());
      c.res = preflightResponse(methodsAt(addresses, c.req.path));
    } else await next();
    if (c.res.status !== 101) setHeaders(c.res.headers, c.req.url, origin);
    return undefined;
  };
}

function preflightResponse(methods: readonly string[]): Response {
  const headers = {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": REQUEST_HEADERS,
    "Access-Control-Max-Age": String(CORS_ANSWER_S),
  };
  return new Response(null, { status: 204, headers });
}

function setHeaders(headers: Headers, url: string, origin: string | undefined): void {
  if (url.startsWith("https:")) headers.set("Strict-Transport-Security", `max-age=${HTTPS_TRUST_S}`);
  headers.append("Vary", "Origin");
  if (origin === undefined) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", RESPONSE_HEADERS);
}
