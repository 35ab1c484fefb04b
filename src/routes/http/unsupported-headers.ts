// Unsupported headers: refuses a change with a conditional header that its endpoint does not support. If the header
// were ignored, the change would be made unconditionally.
import type { HonoRequest } from "hono";
import { refuse, type Result } from "#schema/refusal.ts";
import { isHeaderSupported } from "./conditions.ts";
import type { EndpointId } from "./endpoint-access.ts";

/** Reads accept any conditional header, because HTTP allows a server to ignore a condition on a read. */
const READS = /^(?:GET|HEAD|OPTIONS)$/;
const CONDITION = /^if-/;
const CONDITION_HINT =
  "This endpoint does not support this condition. Omit the header, and read the resource before you change it.";
const HINTS: ReadonlyMap<string, string> = new Map([
  ["x-idempotency-key", "Send the key in the header Idempotency-Key."],
  ["dry-run", "For a dry run, add ?dryRun=true to the address."],
  ["x-dry-run", "For a dry run, add ?dryRun=true to the address."],
]);

export function refuseUnsupportedHeaders(
  request: HonoRequest,
  endpoint: EndpointId,
): Extract<Result<never>, { ok: false }> | null {
  if (READS.test(request.method)) return null;
  for (const name of request.raw.headers.keys()) {
    const hint = CONDITION.test(name) ? CONDITION_HINT : HINTS.get(name);
    if (hint === undefined || isHeaderSupported(endpoint, name)) continue;
    const message = `The header ${name} has no effect on this endpoint, so the change was not made.`;
    const errors = [{ pointer: name, code: "header_not_supported", message: "has no effect on this endpoint", hint }];
    return refuse({ code: "invalid_input", message, hint, errors });
  }
  return null;
}
