// Drives one execution of a journey through the kernel; see test/support/drive.ts for the checks after each step.
import { compile } from "#kernel/programs/compile.ts";
import { journeyDefinition, type JourneyDefinition } from "#schema/definition/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { driveProgram } from "#test/support/drive.ts";

type Written = { readonly nodes: { readonly [name: string]: JsonObject } } & Omit<
  Partial<JourneyDefinition>,
  "nodes" | "kind"
>;

/** A journey that begins with its first node and has many slots, unless the test sets others. */
export function journey({ nodes, ...part }: Written): JourneyDefinition {
  const [initial] = Object.keys(nodes);
  return journeyDefinition.parse({ kind: "journey", name: "sample", concurrency: 100, initial, ...part, nodes });
}

export function go(part: Written) {
  const definition = journey(part);
  const t = driveProgram([compile(definition), compile(definition)]);
  return Object.assign(t, {
    /** The mark of each reached node: `done`, `skipped not_reached`, … */
    marks: (): Record<string, string> =>
      Object.fromEntries(Object.entries(positionOf(t).nodes).map(([name, mark]) => [name, said(mark)])),
    position: (): JourneyPosition => positionOf(t),
  });
}

function positionOf({ state: { position } }: ReturnType<typeof driveProgram>): JourneyPosition {
  if (position.kind !== "journey") throw new Error("it is no journey");
  return position;
}

function said({ status, reason }: NodeMark): string {
  return reason === undefined ? status : `${status} ${reason}`;
}

/** A node with an action. */
export function act(next?: string | readonly string[], more: JsonObject = {}): JsonObject {
  return { type: "webhook", config: { url: "https://example.com" }, ...(next === undefined ? {} : { next }), ...more };
}
