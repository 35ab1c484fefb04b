// Credentials: reads the key, the session cookie and the tenant of a request. A browser's WebSocket can set no header
// except its list of protocols, so the list contains `key.<key>` and, with the root key, `tenant.<id>`. The URL contains
// no key, because URLs are logged.
import type { HonoRequest } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppContext } from "./context.ts";

export const LIVE_PROTOCOL = "escapement.v1";

export function bearerOf(request: HonoRequest): string | null {
  const sent = /^Bearer +([\x21-\x7e]{1,500}) *$/i.exec(request.header("Authorization") ?? "")?.[1];
  return sent ?? fromProtocols(request, "key.");
}

export function requestedTenant(request: HonoRequest): string | null {
  return request.header("X-Tenant") ?? request.query("tenant") ?? fromProtocols(request, "tenant.");
}

export function protocolsOf(request: HonoRequest): readonly string[] {
  return (request.header("Sec-WebSocket-Protocol") ?? "").split(",").map((name) => name.trim());
}

function fromProtocols(request: HonoRequest, prefix: string): string | null {
  if (!isUpgrade(request)) return null;
  const protocol = protocolsOf(request).find((name) => name.startsWith(prefix));
  return protocol === undefined ? null : protocol.slice(prefix.length);
}

export function isUpgrade(request: HonoRequest): boolean {
  return (request.header("Upgrade") ?? "").toLowerCase() === "websocket";
}

/** The name of the session cookie, without the prefix that browsers accept only over HTTPS. */
const COOKIE = "escapement";

/** Returns the options of the session cookie. Only local development uses plain HTTP, and the prefix requires HTTPS. */
function cookieOptions(url: string) {
  const options = { path: "/", httpOnly: true, sameSite: "Strict" } as const;
  return url.startsWith("https:") ? ({ ...options, prefix: "host", secure: true } as const) : options;
}

export function sessionCookieOf(c: AppContext): string | null {
  const cookie = c.req.url.startsWith("https:") ? getCookie(c, COOKIE, "host") : getCookie(c, COOKIE);
  return cookie ?? null;
}

export function setSessionCookie(c: AppContext, secret: string, lifetimeMs: number): void {
  setCookie(c, COOKIE, secret, { ...cookieOptions(c.req.url), maxAge: Math.floor(lifetimeMs / 1_000) });
}

export function clearSessionCookie(c: AppContext): void {
  deleteCookie(c, COOKIE, cookieOptions(c.req.url));
}

/**
 * Returns whether a page of this origin sent the request. Browsers send the cookie with requests of all pages of the
 * same site, so the origin is checked, too. A browser sends Origin with every change and every WebSocket.
 */
export function isFromOwnPage(request: HonoRequest): boolean {
  const origin = request.header("Origin");
  if (origin !== undefined) return origin === new URL(request.url).origin;
  const isRead = (request.method === "GET" || request.method === "HEAD") && !isUpgrade(request);
  return isRead && ["same-origin", "none", undefined].includes(request.header("Sec-Fetch-Site"));
}
