// Which failures must not be found by chance: what costs money on a chain, and what its definition calls urgent.
import type { Run } from "#schema/run.ts";

export function isCritical({ type, priority }: Pick<Run, "type" | "priority">): boolean {
  return type === "blockchain_mint" || priority > 90;
}
