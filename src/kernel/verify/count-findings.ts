// Counts of states and nodes. They are checked before the definition's shape, because with too many of them every later
// check would be expensive.
import { JOURNEY_NODES_MAX, MACHINE_STATES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { finding } from "./finding.ts";

/** Findings about the counts. `body`: any JSON value, because its shape has not been checked. */
export function countFindings(body: unknown): readonly Finding[] {
  if (!isRecord(body)) return [];
  const nodes = namesIn(body["nodes"]);
  const states = statesIn(body);
  return [
    ...(nodes > JOURNEY_NODES_MAX ? [tooManyNodes(nodes)] : []),
    ...(states > MACHINE_STATES_MAX ? [tooManyStates(states)] : []),
  ];
}

export function tooManyNodes(count: number): Finding {
  const message = `the journey has ${count} nodes; the limit is ${JOURNEY_NODES_MAX} (JOURNEY_NODES_MAX)`;
  return finding("/nodes", "limit_exceeded", message, "Move parts of the journey into other journeys.");
}

export function tooManyStates(count: number): Finding {
  return finding(
    "/states",
    "limit_exceeded",
    `the machine has ${count} states; the limit is ${MACHINE_STATES_MAX} (MACHINE_STATES_MAX)`,
  );
}

/** The number of states at all depths. */
function statesIn(root: Fields): number {
  let count = 0;
  const work: unknown[] = [root];
  while (work.length > 0) {
    const at = work.pop();
    if (!isRecord(at)) continue;
    const { states } = at;
    count += namesIn(states);
    if (isRecord(states)) for (const state of Object.values(states)) work.push(state);
  }
  return count;
}

type Fields = { readonly [name: string]: unknown };

function namesIn(value: unknown): number {
  return isRecord(value) ? Object.keys(value).length : 0;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
