// Definitions of each kind, and changes to them, for tests of the diff.
import type { VersionChange } from "#schema/definition/version-change.ts";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { diffDefinitions } from "#policy/versions/diff/diff.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Json } from "#schema/json.ts";

export const order = {
  kind: "machine",
  name: "order",
  variables: { total: 0, note: "none" },
  initial: "open",
  states: {
    open: { on: { paid: "done", late: [{ guard: { var: "a" }, target: "done" }, { target: "late" }] } },
    late: { initial: "first", states: { first: { after: { P1D: "second" } }, second: {} } },
    done: { type: "final" },
  },
  actions: [
    { actionId: "mail", type: "email", triggerState: "late", config: { to: "{{ to }}", subject: "Late", copies: 1 } },
    { actionId: "call", type: "webhook", triggerState: "done", config: { url: "https://example.com" } },
  ],
  tests: [{ name: "holds", expect: [{ states: ["open"] }] }],
};
export const journey = {
  kind: "journey",
  name: "greeting",
  initial: "hello",
  nodes: {
    hello: { type: "email", config: { template: "hello@1" }, delay: "P1D", next: "which" },
    which: { type: "branch", cases: [{ guard: { var: "a" }, next: "bye" }, { next: "hold" }] },
    hold: { type: "delay", for: "P2D", next: "bye" },
    bye: { type: "sms", config: { text: "Bye" } },
  },
};
export const worker = {
  kind: "reconciler",
  name: "worker",
  initial: "Starting",
  tick: "PT1S",
  states: {
    Starting: {
      reason: "begins",
      rules: [
        { when: { var: "observed.up" }, target: "Running", reason: "is up" },
        { when: { var: "desired.up" }, emit: "start" },
      ],
    },
    Running: { rules: [] },
  },
};

/** Compares any JSON as if it were definitions of this kind. */
export function compare(from: unknown, to: unknown): readonly VersionChange[] {
  return computeAtOnce(diffDefinitions(from as Definition, to as Definition));
}

/** Returns the value with a changed field; an undefined value removes the field. */
export function put(inside: Json, [name = "", ...rest]: readonly string[], value: unknown): void {
  const part = inside as Record<string, Json>;
  if (rest.length > 0) return put(part[name] ?? null, rest, value);
  if (value !== undefined) part[name] = value as Json;
  else if (Array.isArray(inside)) inside.splice(Number(name), 1);
  else delete part[name];
}
