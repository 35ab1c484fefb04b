// Dry runs: step a command on the real state, with the real number of free direct slots, and then discard the turn.
import type { Reply } from "#schema/engine/cell.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { CellEngine } from "./cell.ts";
import { acceptsOf } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { applyInput, type InputItem } from "./apply-input.ts";

export function preview(cell: Pick<CellEngine, "openTurn">, storage: CellStorage, item: InputItem): Result<Reply> {
  const turn = cell.openTurn();
  const applied = applyInput(turn, item);
  if (!applied.ok) return applied;
  const { next: _next, ...reply } = applied.value;
  const { state } = reply;
  const draft = turn.drafts.all().find((each) => each.state.id === state.id);
  const { entries = [], effects = [] } = draft ?? {};
  return accept({ ...reply, entries, effects, ...acceptsOf(state, storage) });
}
