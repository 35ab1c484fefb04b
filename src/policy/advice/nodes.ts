// Computes the nodes of an execution for the monitor view. The nodes of a machine are its innermost states. The states
// that it has left are read from its journal.
import type { Definition, StateNode } from "#schema/definition/definition.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState, JourneyPosition, NodeStatus, ReconcilerPosition } from "#schema/engine/state.ts";
import type { Nodes } from "./progress-snapshot.ts";

/**
 * Returns the nodes by progress. `left`: the states that a machine has left. `definition`: null if it cannot be read.
 */
export function nodesOf(state: ExecutionState, definition: Definition | null, left: readonly string[]): Nodes {
  const { position } = state;
  if (position.kind === "journey") return journeyNodes(position);
  if (position.kind === "reconciler") return reconcilerNodes(position);
  const current = new Set(position.states);
  const done = [...left.filter((node) => !current.has(node)), ...(position.done ? position.states : [])];
  const all = definition?.kind !== "machine" ? [] : innermostStates(definition.states);
  const known = new Set([...all, ...done, ...position.states]);
  const open = position.done ? [] : position.states;
  return { open, done, skipped: [], failed: [], completed: done.length, total: known.size };
}

/** A reconciler may enter each state many times. Only its final state therefore counts as done. */
function reconcilerNodes({ states, done }: ReconcilerPosition): Nodes {
  const byStatus = { done: done ? states : [], skipped: [], failed: [], completed: done ? 1 : 0 };
  return { open: done ? [] : states, ...byStatus, total: 1 };
}

/** Returns a journey's nodes from the marks that its state contains. Exits are not counted as nodes. */
function journeyNodes({ nodes, states, counts, done }: JourneyPosition): Nodes {
  const ended = (status: NodeStatus): readonly string[] =>
    Object.entries(nodes)
      .filter(([, mark]) => mark.status === status)
      .sort(([, a], [, b]) => Number(a.ended) - Number(b.ended))
      .map(([name]) => name);
  const byStatus = { done: ended("done"), skipped: ended("skipped"), failed: ended("failed") };
  const completed = counts.done + counts.skipped + counts.failed;
  return { open: done ? [] : states, ...byStatus, completed, total: counts.of };
}

/** Returns the states that a machine has left, each once, in the order of the first time. */
export function statesLeft(entries: readonly JournalEntry[]): readonly string[] {
  const left = entries.flatMap((entry) => {
    if (entry.kind !== "moved" || entry.from === null) return [];
    const to = new Set(entry.to.split(", "));
    return entry.from.split(", ").filter((state) => !to.has(state));
  });
  return [...new Set(left)];
}

function innermostStates(states: { readonly [name: string]: StateNode }, above = ""): readonly string[] {
  return Object.entries(states).flatMap(([name, node]) => {
    const path = `${above}${name}`;
    if (node.type === "history") return [];
    return node.states === undefined ? [path] : innermostStates(node.states, `${path}.`);
  });
}
