// A dry run: what a command would do, worked out on the real state and thrown away.
import { step } from "#kernel/execution/step.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Command, Input } from "#schema/engine/input.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { CellEngine } from "./cell.ts";
import { programOf } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { isOfEarlierLife, lifeIsOver } from "./take.ts";

type Asked = { readonly execution: string; readonly command: Command; readonly life?: number };

export function preview(cell: CellEngine, storage: CellStorage, item: Asked, now: number): Result<Reply> {
  const state = cell.read(item.execution);
  if (!state) return refuse({ code: "not_found", message: `there is no execution ${item.execution}` });
  if (isOfEarlierLife(item, state)) return refuse(lifeIsOver(item.execution));
  const input: Input = { ...item.command, now, room: 0 };
  const stepped = step(programOf(state, storage), state, input);
  if (!stepped.ok) return stepped;
  const { entries, moves, repeated } = stepped;
  return accept({ state: stepped.state, seq: stepped.state.seq, entries, moves, repeated });
}
