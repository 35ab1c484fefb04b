// What a caller says of where it stands: a verb that was meant for a moment that is over changes nothing. Asked after all that
// is due has come, in the step that would carry the verb out, so that nothing comes between the two.
import { refuse, type Refusal } from "#schema/refusal.ts";
import { NODES_NAMED_MAX } from "#schema/limits/journey-sizes.ts";
import type { Refused } from "../control.ts";
import { currentState, type Step } from "../current-step.ts";
import { standsIn } from "../tasks/asked.ts";

export function refuseElsewhere(step: Step, ifState: string | undefined): Refused {
  const { position, status } = step.state;
  // No name at all is the root, in which everything stands.
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

/** Of a verb that this kind, or a thing in this status, does not know. `hint`: what to do instead. */
export function notApplicable(message: string, hint: string): Extract<Refused, object> {
  const refusal: Refusal = { code: "verb_not_applicable", message, hint };
  return refuse(refusal);
}
