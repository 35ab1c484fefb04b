// Unsupported headers: a change that relies on a header without support is refused, instead of being made as if the
// header were absent.
import type { HonoRequest } from "hono";
import { refuse, type Result } from "#schema/refusal.ts";
import { isHeeded } from "./conditions.ts";
import type { EndpointId } from "./endpoint-access.ts";

/** Reads are repeated by caches and proxies, with conditions that may be ignored. */
const READS = /^(?:GET|HEAD|OPTIONS)$/;
const CONDITION = /^if-/;
const conditional = "This endpoint has no such condition: omit the header, and read the resource before you change it.";
const MEANT: ReadonlyMap<string, string> = new Map([
  ["x-idempotency-key", "Send it as Idempotency-Key."],
  ["dry-run", "Use ?dryRun=true."],
  ["x-dry-run", "Use ?dryRun=true."],
]);

export function refuseIgnored(
  request: HonoRequest,
  endpoint: EndpointId,
): Extract<Result<never>, { ok: false }> | null {
  if (READS.test(request.method)) return null;
  for (const name of request.raw.headers.keys()) {
    const hint = CONDITION.test(name) ? conditional : MEANT.get(name);
    if (hint === undefined || isHeeded(endpoint, name)) continue;
    const message = `The header ${name} has no effect on this endpoint, so the change was not made.`;
    const errors = [{ pointer: name, code: "header_not_supported", message: "has no effect here", hint }];
    return refuse({ code: "invalid_input", message, hint, errors });
  }
  return null;
}
