// What a trigger comes to where no rule is asked: the same for every execution that stands there, so that the statechart
// is walked once, and after that it is known.
import type { Json } from "#schema/json.ts";
import { MOVE_NAME_CHARS_MAX, MOVES_KNOWN_MAX } from "#schema/limits/kernel.ts";
import { spend, type Work } from "../../computing/work.ts";
import type { Move } from "../program.ts";
import type { Carried } from "./compile.ts";

type Known = { readonly move: Move | null; readonly cost: number };

/** `name`: what it is set off by and where it stands. `walk` says in `carried` whether it has asked a rule. */
export type KnownMoves = <T extends Move | null>(name: string, carried: Carried, walk: () => T) => T;

export function openKnownMoves(): KnownMoves {
  const moves = new Map<string, Known>();
  const keep = (name: string, known: Known): void => {
    if (name.length > MOVE_NAME_CHARS_MAX) return;
    if (moves.size >= MOVES_KNOWN_MAX) moves.clear();
    moves.set(name, known);
  };
  return <T extends Move | null>(name: string, carried: Carried, walk: () => T): T => {
    const { work, variables, asked } = carried;
    const known = moves.get(name);
    // One that cannot pay for it is told where on the way it has come to an end.
    if (known && known.cost <= work.left) return paid(known, work, variables) as T; // the same walk gave it
    const before = work.used;
    const move = walk();
    if (!asked.any && move?.ok !== false) keep(name, { move: given(move, {}), cost: work.used - before });
    return move;
  };
}

export function nameOf(type: string, standing: { readonly value: Json; readonly history: Json }): string {
  return `${type}\n${JSON.stringify([standing.value, standing.history])}`;
}

function paid({ move, cost }: Known, work: Work, variables: Carried["variables"]): Move | null {
  spend(work, cost);
  return given(move, variables);
}

/** Nobody's variables are kept, and no two executions stand in one object. */
function given(move: Move | null, variables: Carried["variables"]): Move | null {
  return move?.ok ? { ...move, position: { ...move.position }, variables } : move;
}
