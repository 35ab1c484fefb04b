// Journey dimensions: the number of nodes that a journey has completed, and the number that one event completes.
import { journeyDefinition, type JourneyDefinition } from "#schema/definition/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Dimension } from "./dimensions.ts";
import { event, start } from "./machines.ts";

function journey(nodes: { readonly [name: string]: JsonObject }, initial: string): JourneyDefinition {
  return journeyDefinition.parse({ kind: "journey", name: "bench", initial, nodes });
}

/** Builds a chain of branch nodes, which complete at once and lead to `last`. */
function branchChain(size: number, last: string): { readonly [name: string]: JsonObject } {
  const names = Array.from({ length: size }, (_, n) => `n${n}`);
  return Object.fromEntries(names.map((name, n) => [name, branch(n + 1 < size ? `n${n + 1}` : last)]));
}

function branch(next: string): JsonObject {
  return { type: "branch", cases: [{ next }] };
}

function wait(next?: string): JsonObject {
  return { type: "wait", for: [{ event: "go", ...(next === undefined ? {} : { next }) }] };
}

const end = { type: "delay", for: "P1D" };

export const journeyDimensions: readonly Dimension[] = [
  {
    name: "journey behind",
    title: "a journey that has been through so many nodes, an event that moves it on by one",
    sizes: [60, 120, 240, 480],
    prepare: (size) => ({
      definition: journey({ ...branchChain(size, "w"), w: wait("end"), end }, "n0"),
      inputs: [start()],
      measured: event("go"),
    }),
  },
  {
    name: "journey touched",
    title: "so many nodes of a journey, one after another, in one step",
    sizes: [60, 120, 240, 480],
    prepare: (size) => ({
      definition: journey({ w: wait("n0"), ...branchChain(size, "end"), end }, "w"),
      inputs: [start()],
      measured: event("go"),
    }),
  },
  {
    name: "journey joined",
    title: "so many ways of a fork that meet again, in one step",
    sizes: [12, 25, 50, 100],
    prepare: (size) => {
      const names = Array.from({ length: size }, (_, n) => `n${n}`);
      const fork = { type: "wait", for: [{ event: "go", next: names }] };
      const ways = Object.fromEntries(names.map((name) => [name, branch("end")]));
      return { definition: journey({ w: fork, ...ways, end }, "w"), inputs: [start()], measured: event("go") };
    },
  },
];
