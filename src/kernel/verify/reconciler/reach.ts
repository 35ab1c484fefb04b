// States that a reconciler reaches without a rule: the target of `onShutdown`.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";

export function targetsOf(onShutdown: ReconcilerDefinition["onShutdown"]): readonly string[] {
  if (onShutdown === undefined) return [];
  return [typeof onShutdown === "string" ? onShutdown : onShutdown.target];
}
