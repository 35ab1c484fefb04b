// Reconciler dimensions: the number of rules that one tick evaluates.
import { reconcilerDefinition, type ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Dimension } from "./dimensions.ts";
import { start } from "./machines.ts";

/** Builds `size` rules that do not hold. With `last`, the last rule holds. */
function reconciler(size: number, last: boolean): ReconcilerDefinition {
  const rules = Array.from({ length: size }, (_, n) => ({
    when: {
      and: [{ ">": [{ var: "observed.n" }, n] }, { "==": [{ var: "desired.version" }, { var: "observed.version" }] }],
    },
    target: "B",
  }));
  const held = { when: { var: "observed.go" }, target: "B" };
  return reconcilerDefinition.parse({
    kind: "reconciler",
    name: "bench",
    initial: "A",
    tick: "PT1S",
    states: { A: { reason: "waiting", rules: last ? [...rules.slice(1), held] : rules }, B: { rules: [] } },
    desired: { version: "v2" },
  });
}

const from = { inputId: "o", fingerprint: "f", actor: { kind: "key", id: "k" }, unkeyed: true } as const;

function observe(n: number, go: boolean): Command {
  return { kind: "observe", observed: { n, go, version: "v1" }, observedAt: null, ifRevision: null, ...from };
}

export const reconcilerDimensions: readonly Dimension[] = [
  {
    name: "reconciler idle",
    title: "so many rules of a state, a tick in which none holds and nothing changes",
    sizes: [1, 5, 20, 50],
    prepare: (size) => ({
      definition: reconciler(size, false),
      inputs: [start(), observe(1_000, false)],
      measured: { kind: "tick" },
    }),
  },
  {
    name: "reconciler moved",
    title: "the same, a tick in which the last one holds",
    sizes: [1, 5, 20, 50],
    prepare: (size) => ({
      definition: reconciler(size, true),
      inputs: [start(), observe(1_000, true)],
      measured: { kind: "tick" },
    }),
  },
  {
    name: "reconciler told",
    title: "the same, an observation that says something else",
    sizes: [1, 5, 20, 50],
    prepare: (size) => ({
      definition: reconciler(size, false),
      inputs: [start(), observe(1_000, false)],
      measured: observe(2_000, false),
    }),
  },
];
