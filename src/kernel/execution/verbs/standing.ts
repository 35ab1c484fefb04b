// The If-State condition: a verb intended for another state changes nothing. Checked after due work, in the step that
// executes the verb, so that nothing can happen between the two.
import { refuse, type Refusal } from "#schema/refusal.ts";
import { NODES_NAMED_MAX } from "#schema/limits/journey-sizes.ts";
import type { Refused } from "../control.ts";
import { currentState, type Step } from "../current-step.ts";
import { standsIn } from "../tasks/asked.ts";

export function refuseElsewhere(step: Step, ifState: string | undefined): Refused {
  const { position, status } = step.state;
  // An empty name is the root, which is always active.
  const isThere = (ifState ?? "").split(",").every((path) => standsIn(position, path.trim()));
  if (isThere) return null;
  const where = currentState(step.state) || "no state";
  return refuse({
    code: "state_changed",
    message: `the execution is in ${where} (${status}), not in ${ifState}`,
    hint: "Nothing has changed. Read it again, and send its current state in If-State, or omit the header.",
    details: { states: position.states.slice(0, NODES_NAMED_MAX), status },
  });
}

/** The refusal of a verb for this kind or status. `hint`: what to do instead. */
export function notApplicable(message: string, hint: string): Extract<Refused, object> {
  const refusal: Refusal = { code: "verb_not_applicable", message, hint };
  return refuse(refusal);
}
