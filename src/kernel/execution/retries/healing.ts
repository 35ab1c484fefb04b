// Auto-retry after recovery: which dead letters are retried automatically once their provider is back, and how often
// their action or connection allows it.
import type { ActionDefinition } from "#schema/definition/action.ts";
import { isAway } from "#schema/engine/away.ts";
import type { Command } from "#schema/engine/input.ts";
import { SELF_HEAL_TIMES } from "#schema/limits/outgoing-calls.ts";
import type { Run } from "#schema/engine/run.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";
import { actionOf, type Step } from "../current-step.ts";

/** Stored in the run, so that lists can select it. */
export function healsOf({ selfHeal }: Pick<ActionDefinition, "selfHeal">): Pick<Run, "heals"> {
  if (selfHeal === undefined) return {};
  return { heals: selfHeal === false ? 0 : (selfHeal.times ?? SELF_HEAL_TIMES) };
}

/** null if an operator requested the retry, or if it applies. The refusal's details say that the state is fine. */
export function refuseHealing(step: Step, run: Run, { heal }: Extract<Command, { kind: "retry" }>): Refused {
  if (heal === undefined) return null;
  const { heals: times = heal.times ?? 0 } = healsOf(actionOf(step, run.action));
  const healed = run.redriven?.healed ?? 0;
  if (times === 0) return refused(run, "not_asked", "neither its action nor its connection enables it");
  if (healed >= times)
    return refused(run, "used_up", `it was retried automatically ${healed} times of at most ${times}`);
  if (!isAway(run.error)) return refused(run, "not_away", "it did not fail because its provider was unavailable");
  return null;
}

function refused({ id }: Run, heal: string, why: string): Refused {
  const message = `run ${id} is not retried automatically: ${why}`;
  return refuse({ code: "run_not_startable", message, details: { heal } });
}
