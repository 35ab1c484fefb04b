// The caps of subjects in a virtual run. Only runs of this virtual run count.
import type { AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import { takeSlot } from "./slots.ts";
import type { CapRow } from "#schema/subject/cap.ts";

export function openCaps(): AttemptLimits {
  const rows = new Map<string, CapRow>();
  return ({ run: { id, cap }, at }) => {
    if (cap === undefined) return null;
    const { name, subject, max, window, over } = cap;
    const row = JSON.stringify([name, subject]);
    const { row: taken, answer } = takeSlot(rows.get(row) ?? null, { cap: name, max, window, key: id }, at);
    if (taken !== null) rows.set(row, taken);
    if (answer.ok) return null;
    return over === "skip"
      ? { skipped: "capped", nextAt: answer.opensAt }
      : { reason: "cap", until: answer.opensAt, connection: null };
  };
}
