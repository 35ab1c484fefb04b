// Step inspector: checks invariants on a sample of the object's steps. A violation is our bug and is logged; the step
// itself is kept.
import { brokenInvariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { INVARIANTS_CHECKED_EVERY_STEPS } from "#schema/limits/quarantined-executions.ts";
import type { Ports } from "./ports.ts";

export function openInspector(log: Ports["log"]): (judged: ObservedStep) => void {
  let steps = 0;
  return (judged) => {
    steps += 1;
    if (steps % INVARIANTS_CHECKED_EVERY_STEPS !== 1) return;
    const { id, seq } = judged.state;
    const say = (message: string): void =>
      log({ level: "error", event: "invariant_broken", execution: id, seq, input: judged.input.kind, message });
    try {
      brokenInvariants(judged).forEach(say);
    } catch (fault) {
      say(String(fault));
    }
  };
}
