// Dry runs: step a command on the real state, with the actual number of free direct slots, and discard the turn.
import type { Reply } from "#schema/engine/cell.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { CellEngine } from "./cell.ts";
import { acceptsOf } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { applyInput, type InputItem } from "./apply-input.ts";

export function preview(cell: Pick<CellEngine, "openTurn">, storage: CellStorage, item: InputItem): Result<Reply> {
  const turn = cell.openTurn();
  const taken = applyInput(turn, item);
  if (!taken.ok) return taken;
  const { next: _next, ...told } = taken.value;
  const { state } = told;
  const draft = turn.drafts.all().find((each) => each.state.id === state.id);
  const { entries = [], effects = [] } = draft ?? {};
  return accept({ ...told, entries, effects, ...acceptsOf(state, storage) });
}
