// Step inspector: checks the invariants on a sample of the object's steps. A violation is a bug. It is logged, and the
// step is still committed.
import { brokenInvariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { INVARIANTS_CHECKED_EVERY_STEPS } from "#schema/limits/executions.ts";
import type { Ports } from "./ports.ts";

export function openInspector(log: Ports["log"]): (observed: ObservedStep) => void {
  let steps = 0;
  return (observed) => {
    steps += 1;
    if (steps % INVARIANTS_CHECKED_EVERY_STEPS !== 1) return;
    const { id, seq } = observed.state;
    const report = (message: string): void =>
      log({ level: "error", event: "invariant_broken", execution: id, seq, input: observed.input.kind, message });
    try {
      brokenInvariants(observed).forEach(report);
    } catch (fault) {
      report(String(fault));
    }
  };
}
