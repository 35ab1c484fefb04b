// Late work is skipped with a reason: on first try, retry, resume and redrive alike.
import type { ActionDefinition } from "#schema/action.ts";
import type { Run } from "#schema/run.ts";
import { evaluate } from "./logic.ts";
import { durationMs, instant } from "./timing.ts";
import { scopeFor, triggerOf, type Turn } from "./turn.ts";

/** The reason why this run is no longer wanted, or null. */
export function lateness(turn: Turn, run: Run, action: ActionDefinition): string | null {
  if (action.maxLateness !== undefined && run.firstDueAt !== null) {
    if (turn.now > run.firstDueAt + durationMs(action.maxLateness)) return "late";
  }
  if (action.validUntil !== undefined) {
    const rule = evaluate(action.validUntil, scopeFor(turn, triggerOf(turn, run.trigger)));
    const until = rule.ok ? instant(rule.value, turn.program.definition.timezone ?? "UTC") : null;
    if (until !== null && turn.now > until) return "no_longer_valid";
  }
  return null;
}

