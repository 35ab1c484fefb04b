// A cache of transitions that evaluate no rule. Such a transition has the same result for every execution at the
// position, so XState computes it once.
import type { Json } from "#schema/json.ts";
import { TRANSITIONS_CACHED_MAX, TRANSITION_NAME_CHARS_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { charge, type Work } from "../../computing/work.ts";
import type { Move } from "../../execution/program.ts";
import type { MachineContext } from "./compile.ts";

type CachedMove = { readonly move: Move | null; readonly cost: number };

/**
 * Returns the cached transition, or computes it with `walk`. `name`: names the trigger and the position.
 * `context.ruleUse` shows afterwards whether a rule was evaluated.
 */
export type TransitionCache = <T extends Move | null>(name: string, context: MachineContext, walk: () => T) => T;

export function openTransitionCache(): TransitionCache {
  const moves = new Map<string, CachedMove>();
  const keep = (name: string, known: CachedMove): void => {
    if (name.length > TRANSITION_NAME_CHARS_MAX) return;
    if (moves.size >= TRANSITIONS_CACHED_MAX) moves.clear();
    moves.set(name, known);
  };
  return <T extends Move | null>(name: string, context: MachineContext, walk: () => T): T => {
    const { work, variables, ruleUse } = context;
    const known = moves.get(name);
    // If the budget is too small, the transition is computed again, so that the fault names the place where the budget
    // ends.
    if (known && known.cost <= work.left) return chargeAndReturn(known, work, variables) as T; // A computation of the same type created the cached move.
    const before = work.used;
    const move = walk();
    if (!ruleUse.any && move?.ok !== false) keep(name, { move: withVariables(move, {}), cost: work.used - before });
    return move;
  };
}

export function cacheName(type: string, activePaths: { readonly value: Json; readonly history: Json }): string {
  return `${type}\n${JSON.stringify([activePaths.value, activePaths.history])}`;
}

function chargeAndReturn({ move, cost }: CachedMove, work: Work, variables: MachineContext["variables"]): Move | null {
  charge(work, cost);
  return withVariables(move, variables);
}

/** The move with this execution's own variables and position object. The variables in the cache are empty. */
function withVariables(move: Move | null, variables: MachineContext["variables"]): Move | null {
  return move?.ok ? { ...move, position: { ...move.position }, variables } : move;
}
