// What a monitor takes for the nodes of an execution. A machine's are its innermost states: those that it has left are done.
// Its history tells which, since its position knows only where it stands.
import type { Definition, StateNode } from "#schema/definition/definition.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState, JourneyPosition, NodeStatus } from "#schema/engine/state.ts";
import type { Nodes } from "./standing.ts";

/** `left`: of a machine, the states it has left so far. The definition may not be known just now. */
export function nodesOf(state: ExecutionState, definition: Definition | null, left: readonly string[]): Nodes {
  const { position } = state;
  if (position.kind === "journey") return marked(position);
  const here = new Set(position.states);
  const done = [...left.filter((node) => !here.has(node)), ...(position.done ? position.states : [])];
  const all = definition?.kind !== "machine" ? [] : leaves(definition.states);
  const known = new Set([...all, ...done, ...position.states]);
  return { open: position.done ? [] : position.states, done, skipped: [], failed: [], total: known.size };
}

/** A journey knows of each node how it ended. */
function marked({ nodes, states, counts, done }: JourneyPosition): Nodes {
  const ended = (status: NodeStatus): readonly string[] =>
    Object.entries(nodes).flatMap(([name, mark]) => (mark.status === status ? [name] : []));
  const over = { done: ended("done"), skipped: ended("skipped"), failed: ended("failed") };
  return { open: done ? [] : states, ...over, total: counts.of };
}

/** States that a machine has left, in the order in which it left them first. */
export function statesLeft(entries: readonly JournalEntry[]): readonly string[] {
  const left = entries.flatMap((entry) => {
    if (entry.kind !== "moved" || entry.from === null) return [];
    const to = new Set(entry.to.split(", "));
    return entry.from.split(", ").filter((state) => !to.has(state));
  });
  return [...new Set(left)];
}

function leaves(states: { readonly [name: string]: StateNode }, above = ""): readonly string[] {
  return Object.entries(states).flatMap(([name, node]) => {
    const path = `${above}${name}`;
    if (node.type === "history") return [];
    return node.states === undefined ? [path] : leaves(node.states, `${path}.`);
  });
}
