// Nesting of executions: a child that its parent waits for is one level deeper; without waiting it continues a chain of
// starts. Both are limited at the child's start, so that endless recursion ends with a reason.
import type { Parent } from "#schema/engine/child.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { CHILD_DEPTH_MAX, RELAY_REST_MS, RELAYS_MAX } from "#schema/limits/children.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";

/** The reference to its parent's run that a child stores. */
export function parentOf(
  { execution, run, action, incarnation, nesting = {} }: Omit<Ticket, "config">,
  wait: boolean,
  now: number,
): Parent {
  const { depth = 0, relays = 0 } = nesting;
  const isRested = now - incarnation >= RELAY_REST_MS;
  const below = wait
    ? { depth: depth + 1, relays }
    : { waits: false as const, depth: 0, relays: isRested ? 0 : relays + 1 };
  return { execution, run, action, incarnation, ...below };
}

export function refuseNesting({ parent, notAfter, now }: StartCommand & { readonly now: number }): Refused {
  const { depth = 0, relays = 0 } = parent ?? {};
  if (depth > CHILD_DEPTH_MAX) {
    const message = `it would be ${depth} executions deep below executions that wait for it; the limit is ${CHILD_DEPTH_MAX} (CHILD_DEPTH_MAX)`;
    const hint =
      "Check whether it starts itself, directly or through another execution. End the chain, or start the next one without waiting for it.";
    return refuse({ code: "limit_exceeded", message, hint });
  }
  if (relays > RELAYS_MAX) {
    const message = `${relays} executions in a row have started the next one, each within an hour; the limit is ${RELAYS_MAX} (RELAYS_MAX)`;
    const hint = "Check whether it starts itself endlessly. For repetition, use a recurring action or a schedule.";
    return refuse({ code: "limit_exceeded", message, hint });
  }
  if (notAfter !== undefined && now > notAfter) {
    const message = `the attempt that starts it ended at ${new Date(notAfter).toISOString()}`;
    return refuse({ code: "unavailable", message });
  }
  return null;
}
