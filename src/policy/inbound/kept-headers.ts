// Which of a request's headers a mapping sees, and is kept: none that signs or lets in, and not more than there is room for.
import type { Verification } from "#schema/inbound/verification.ts";
import { HOOK_HEADERS_BYTES_MAX } from "#schema/limits/inbound.ts";
import { byteLength } from "#kernel/language/json-values.ts";

/** Of the platform's own some say where the sender is, which is nobody's business here. */
const HIDDEN = /authorization|cookie|signature|token|secret|password|api-?key|^cf-|^x-real-ip$|^x-forwarded-for$/;

export function keptHeaders(
  headers: ReadonlyMap<string, string>,
  verify: Verification,
): { readonly [name: string]: string } {
  const own = "header" in verify ? verify.header.toLowerCase() : null;
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of headers) {
    bytes += byteLength(name) + byteLength(value);
    if (bytes > HOOK_HEADERS_BYTES_MAX) break;
    if (name !== own && !HIDDEN.test(name)) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}
