// To which states what a definition says elsewhere leads.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";

export function targetsOf(onShutdown: ReconcilerDefinition["onShutdown"]): readonly string[] {
  if (onShutdown === undefined) return [];
  return [typeof onShutdown === "string" ? onShutdown : onShutdown.target];
}
