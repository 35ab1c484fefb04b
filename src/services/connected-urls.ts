// Connection URLs: refuses a connection with an invalid URL when the connection is written. The rules are those that
// each attempt applies.
import type { ConnectionSettings } from "#schema/connection.ts";
import { writtenUrlFindings } from "#schema/egress/written-url.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "./deps.ts";

const CALLED_POINTERS = ["/baseUrl", "/auth/tokenEndpoint", "/settings/rpcUrl"];

export function checkConnectedUrls(deps: Pick<Deps, "allowLoopback">, settings: ConnectionSettings): Result<null> {
  const errors = writtenUrlFindings(settings as Json, CALLED_POINTERS, deps); // Connection settings are parsed JSON.
  const [first] = errors;
  if (first === undefined) return accept(null);
  return refuse({ code: "invalid_input", message: `${first.pointer}: ${first.message}`, errors });
}
