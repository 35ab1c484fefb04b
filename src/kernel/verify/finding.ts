// Findings, as the verifier makes them.
import type { Finding } from "#schema/refusal.ts";

export function finding(where: string, code: string, message: string, hint?: string): Finding {
  return { pointer: where, code, message, ...(hint === undefined ? {} : { hint }) };
}
