// A cache of transitions that evaluate no rule. The result of such a transition depends only on the position and the
// trigger. XState therefore computes it once for all executions.
import type { Json } from "#schema/json.ts";
import { TRANSITIONS_CACHED_MAX, TRANSITION_NAME_CHARS_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { charge, type Work } from "../../computing/work.ts";
import type { Move } from "../../execution/program.ts";
import type { MachineContext } from "./compile.ts";

type CachedMove = { readonly move: Move | null; readonly cost: number };

/**
 * Returns the cached transition, or calls `walk` to compute it. `name`: the cache key, made of the trigger and the
 * position. After the call `context.ruleUse` shows whether a rule was evaluated.
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
    // If the budget does not cover the cost, the transition is computed again. The fault then names the state at which
    // the budget ends.
    if (known && known.cost <= work.left) return chargeAndReturn(known, work, variables) as T; // The cache key determines the type of the move.
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

/** The cached move, with the variables and the position object of this execution. A cached move has empty variables. */
function withVariables(move: Move | null, variables: MachineContext["variables"]): Move | null {
  return move?.ok ? { ...move, position: { ...move.position }, variables } : move;
}
