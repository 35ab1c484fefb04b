// A definition with forced branches and splits: each takes the outcome that the client assumes. The other outcomes stay
// in the definition, so that their nodes are skipped as in a real execution.
import type { Definition } from "#schema/definition/definition.ts";
import type { Next } from "#schema/definition/journey/node-parts.ts";
import type { JourneyNode } from "#schema/definition/journey/nodes.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import { kindOf, targetList } from "../programs/journey/journey-plan.ts";

type Branches = NonNullable<Assumptions["branches"]>;
export type UnforcedBranch = { readonly node: string; readonly message: string };
type ForcedDefinition =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly unforced: readonly UnforcedBranch[] };

export function forceBranches(definition: Definition, branches: Branches): ForcedDefinition {
  const asked = Object.entries(branches);
  if (asked.length === 0) return { ok: true, definition };
  if (definition.kind !== "journey") {
    const message =
      "only a journey has branches that can be chosen here; in a machine or reconciler, send events or variables that lead to the state";
    return { ok: false, unforced: asked.map(([node]) => ({ node, message })) };
  }
  const made = asked.map(([name, to]) => ({ name, to, node: forcedNode(definition.nodes[name], to) }));
  const unforced = made.filter(({ node }) => node === null);
  if (unforced.length > 0) {
    return {
      ok: false,
      unforced: unforced.map(({ name, to }) => ({ node: name, message: unforcedMessage(name, to) })),
    };
  }
  const nodes = made.map(({ name, node }) => [name, node]);
  return { ok: true, definition: { ...definition, nodes: { ...definition.nodes, ...Object.fromEntries(nodes) } } };
}

function unforcedMessage(name: string, to: string): string {
  return `the node ${name} is not a branch or split that leads to ${to}`;
}

function forcedNode(node: JourneyNode | undefined, to: string): JourneyNode | null {
  const is = node === undefined ? null : kindOf(node);
  if (is?.kind === "branch") {
    const chosen = is.node.cases.findIndex(leadsTo(to));
    if (chosen < 0) return null;
    return { ...is.node, cases: is.node.cases.map((each, n) => ({ ...each, guard: n === chosen })) };
  }
  if (is?.kind !== "split") return null;
  const { next: shared, ways } = is.node;
  const chosen = ways.findIndex(({ next = shared }) => leadsTo(to)({ next }));
  if (chosen < 0) return null;
  // A split never chooses a way with weight 0.
  return { ...is.node, ways: ways.map((way, n) => ({ ...way, weight: n === chosen ? 1 : 0 })) };
}

function leadsTo(to: string): (way: { readonly next?: Next }) => boolean {
  return ({ next }) => targetList(next).includes(to);
}
