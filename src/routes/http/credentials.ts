// Credentials: reads the key and the tenant of a request. A browser's WebSocket can set no header except its list of
// protocols, so the list contains `key.<key>` and, with the root key, `tenant.<id>`. The URL contains no key, because
// URLs are logged.
import type { HonoRequest } from "hono";

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
