// Drives one execution of a reconciler through the kernel; see test/support/drive.ts for the checks after each step.
import { compile } from "#kernel/programs/compile.ts";
import { reconcilerDefinition, type ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Reconciling } from "#schema/engine/reconciling.ts";
import type { ReconcilerPosition } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { driveProgram, outside } from "#test/support/drive.ts";

export const told = {
  desire: (desired: JsonObject, mode: "replace" | "merge" = "merge", ifRevision: number | null = null): Command => {
    return { kind: "desire", desired, mode, ifRevision, reason: null, ...outside(undefined) };
  },
  observe: (observed: JsonObject, observedAt: number | null = null, ifRevision: number | null = null): Command => {
    return { kind: "observe", observed, observedAt, ifRevision, ...outside(undefined), unkeyed: true };
  },
};

export type Written = { readonly states: { readonly [name: string]: JsonObject } } & Omit<
  Partial<ReconcilerDefinition>,
  "states" | "kind"
>;

/** A reconciler that begins with its first state and ticks each second, unless the test sets others. */
export function reconciler({ states, ...part }: Written): ReconcilerDefinition {
  const [initial] = Object.keys(states);
  return reconcilerDefinition.parse({ kind: "reconciler", name: "sample", tick: "PT1S", initial, ...part, states });
}

/** A started reconciler. */
export function go(part: Written, begin: { readonly desired?: JsonObject } = {}, room = 0) {
  const definition = reconciler(part);
  const t = driveProgram([compile(definition), compile(definition)], room, begin);
  t.start();
  return Object.assign(t, {
    position: (): ReconcilerPosition => positionOf(t),
    reconciling: (): Reconciling => reconcilingOf(t),
    /** The state and its reason: `Running: up since the start`. */
    stands: (): string => {
      const { state, reason } = positionOf(t);
      return reason === "" ? state : `${state}: ${reason}`;
    },
    action: () => t.state.lastAction,
    observe: (observed: JsonObject, observedAt: number | null = null) => t.take(told.observe(observed, observedAt)),
    desire: (desired: JsonObject) => t.take(told.desire(desired)),
  });
}

function positionOf({ state: { position } }: ReturnType<typeof driveProgram>): ReconcilerPosition {
  if (position.kind !== "reconciler") throw new Error("it is no reconciler");
  return position;
}

function reconcilingOf({ state: { reconciling } }: ReturnType<typeof driveProgram>): Reconciling {
  if (reconciling === undefined) throw new Error("it is no reconciler");
  return reconciling;
}
