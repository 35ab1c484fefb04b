// Returns a sentence that describes an assumption of a virtual run to people.
import type { Assumption } from "#schema/virtual/expected-actions.ts";

export function assumptionSays(assumption: Assumption): string {
  const { of } = assumption;
  switch (assumption.kind) {
    case "succeeds":
      return `the action ${of} succeeds`;
    case "fails":
      return `the action ${of} fails`;
    case "task":
      return `the task of ${of} ends as ${assumption.as}`;
    case "child":
      return `the execution that ${of} starts ends as ${assumption.as}`;
    case "event":
      return `the event ${of} arrives`;
    case "silence":
      return `no input ends ${of === "" ? "the wait" : `the wait in ${of}`} earlier`;
    case "patched":
      return `a patch changes ${of}`;
    case "observed":
      return "an observation changes the observed state";
    case "desired":
      return `a request changes the desired ${of}`;
    case "retried":
      return `an operator retries the dead letter of ${of}`;
    case "archived":
      return `an operator archives the dead letter of ${of}`;
    case "paused":
    case "resumed":
    case "canceled":
      return `the execution is ${assumption.kind}`;
  }
}
