// A dry run: what a command would do, worked out on the real state and thrown away.
import { step } from "#kernel/execution/step.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { Command, Input } from "#schema/engine/input.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { CellEngine } from "./cell.ts";
import { isToBeKnown, refuseAbsent, standInFor } from "./heads/unreadable.ts";
import { programOf } from "./programs.ts";
import type { CellStorage } from "./storage.ts";
import { isOfEarlierLife, lifeIsOver } from "./take.ts";

type Asked = {
  readonly execution: string;
  readonly command: Command;
  readonly life?: number;
  readonly known?: Identity | null;
};

export function preview(cell: CellEngine, storage: CellStorage, item: Asked, now: number): Result<Reply> {
  const { heads, name } = cell;
  const isGivenUp = item.command.kind === "cancel" && isToBeKnown(heads, item.execution, item.known);
  const state = isGivenUp ? standInFor({ heads, name }, item.execution, item.known) : cell.read(item.execution);
  if (!state) return refuseAbsent(heads, item.execution);
  if (isOfEarlierLife(item, state)) return refuse(lifeIsOver(item.execution));
  const input: Input = { ...item.command, now, room: 0 };
  const stepped = step(programOf(state, storage), state, input);
  if (!stepped.ok) return stepped;
  const { entries, moves, repeated } = stepped;
  return accept({ state: stepped.state, seq: stepped.state.seq, entries, moves, repeated });
}
