// Checks of definitions without pauses, for tests.
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { verifyInParts } from "#kernel/verify/definition.ts";
import { warningsInParts } from "#kernel/verify/warnings.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Finding, Warning } from "#schema/refusal.ts";

export function verify(definition: Definition): readonly Finding[] {
  return computeAtOnce(verifyInParts(definition));
}

export function warningsOf(definition: Definition): readonly Warning[] {
  return computeAtOnce(warningsInParts(definition));
}
