// Returns a sentence that describes an assumption of a virtual run to people.
import type { Assumption } from "#schema/virtual/expected-actions.ts";

export function assumptionSays(assumption: Assumption): string {
  const { of } = assumption;
  switch (assumption.kind) {
    case "succeeds":
      return `${of} succeeds`;
    case "fails":
      return `${of} fails`;
    case "task":
      return `the task of ${of} is ${assumption.as}`;
    case "child":
      return `the execution of ${of} is ${assumption.as}`;
    case "event":
      return `the event ${of} arrives`;
    case "silence":
      return `nothing ends ${of === "" ? "it" : of} first`;
    case "patched":
      return `${of} is changed`;
    case "observed":
      return "a different state is observed";
    case "desired":
      return `a different ${of} is desired`;
    case "retried":
      return `${of} is sent again`;
    case "archived":
      return `${of} is archived`;
    case "paused":
    case "resumed":
    case "canceled":
      return `its status is ${assumption.kind}`;
  }
}
