// The caps of one subject in a virtual run. Only runs of this virtual run count.
import type { AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import { takeSlot } from "./slots.ts";
import type { CapRow } from "#schema/subject/cap.ts";

export function openCaps(): AttemptLimits {
  const rows = new Map<string, CapRow>();
  return ({ run: { id, cap }, at }) => {
    if (cap === undefined) return null;
    const { name, max, window, over } = cap;
    const { row, answer } = takeSlot(rows.get(name) ?? null, { cap: name, max, window, key: id }, at);
    if (row !== null) rows.set(name, row);
    if (answer.ok) return null;
    return over === "skip" ? { skipped: "capped" } : { reason: "cap", until: answer.opensAt, connection: null };
  };
}
