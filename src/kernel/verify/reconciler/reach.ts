// States that are reached by a field other than a rule.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";

export function targetsOf(onShutdown: ReconcilerDefinition["onShutdown"]): readonly string[] {
  if (onShutdown === undefined) return [];
  return [typeof onShutdown === "string" ? onShutdown : onShutdown.target];
}
