// Explanations: why an execution is in its state, from its head and its latest journal entries. Writes and sends
// nothing. For an unreadable execution it explains what its row and its quarantine still contain.
import { explain } from "#kernel/explain/explain.ts";
import { explainUnreadable } from "#kernel/explain/unreadable.ts";
import type { Explanation, ExplainQuery } from "#schema/engine/explanation.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { CellEngine } from "./cell.ts";
import { refuseAbsent } from "./heads/unreadable.ts";
import { attemptResult } from "./intake.ts";
import { programOf } from "./programs.ts";
import type { CellStorage } from "./storage.ts";

export function explainFrom(
  cell: Pick<CellEngine, "heads" | "openTurn">,
  storage: CellStorage,
  { execution, suspended }: ExplainQuery,
): Result<Explanation> {
  const { heads } = cell;
  const { now } = cell.openTurn();
  const head = heads.read(execution);
  const quarantined = heads.quarantine.get(execution) ?? null;
  if (head) {
    const explained = attemptResult(() => {
      const recent = heads.recentEntries(head);
      const program = programOf(head.state, storage);
      return explain({ program, state: head.state, now, suspended, recent, quarantined });
    });
    if ("value" in explained) return accept(explained.value);
    if (quarantined === null) throw explained.fault;
  }
  if (quarantined === null) return refuseAbsent(heads, execution);
  return accept(explainUnreadable(execution, heads.identity(execution), quarantined, now));
}
