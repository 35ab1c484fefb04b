// Selects the request headers that a mapping reads and a delivery stores. Headers with credentials or signatures are
// left out, and the size is limited.
import type { Verification } from "#schema/inbound/verification.ts";
import { HOOK_HEADERS_BYTES_MAX } from "#schema/limits/inbound/deliveries.ts";
import { byteLength } from "#kernel/language/json-values.ts";

/**
 * Headers that are not stored: credentials and signatures, and headers of the platform that may reveal the sender's
 * location.
 */
const HIDDEN = /authorization|cookie|signature|token|secret|password|api-?key|^cf-|^x-real-ip$|^x-forwarded-for$/;

export function keptHeaders(
  headers: ReadonlyMap<string, string>,
  verify: Verification,
): { readonly [name: string]: string } {
  const signatureHeader = "header" in verify ? verify.header.toLowerCase() : null;
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of headers) {
    bytes += byteLength(name) + byteLength(value);
    if (bytes > HOOK_HEADERS_BYTES_MAX) break;
    if (name !== signatureHeader && !HIDDEN.test(name)) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}
