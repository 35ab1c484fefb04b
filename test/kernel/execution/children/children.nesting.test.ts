// The nesting depth of executions: the start of a child that nests too deep is refused, and its parent's run fails with
// the reason.
import { describe, expect, test } from "vitest";
import { parentOf } from "#kernel/execution/children/children.ts";
import type { Parent } from "#schema/engine/child.ts";
import { CHILD_DEPTH_MAX, RELAYS_MAX, RELAY_REST_MS } from "#schema/limits/executions.ts";
import { ask, drive, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const ticket = (more: object = {}) => ({
  tenant: "acme",
  execution: "exe_up",
  run: "2.0",
  attempt: 1,
  action: "begin",
  type: "start_execution",
  idempotencyKey: "exe_up/2.0",
  timeoutMs: 30_000,
  deadlineAt: T0 + 30_000,
  incarnation: T0,
  ...more,
});
const machine = () => drive({ states: { a: { on: { go: "a" } } } });
const below = (more: Partial<Parent>) =>
  ask.start({}, { parent: { execution: "exe_up", run: "2.0", action: "begin", incarnation: T0, ...more } });

describe("a child", () => {
  test.each<[string, object, boolean, object]>([
    ["of an execution without a parent", {}, true, { depth: 1, relays: 0 }],
    ["of a child", { nesting: { depth: 3, relays: 2 } }, true, { depth: 4, relays: 2 }],
    ["that no parent waits for", { nesting: { depth: 3, relays: 2 } }, false, { waits: false, depth: 0, relays: 3 }],
    ["that no parent waits for, of an execution without a parent", {}, false, { waits: false, depth: 0, relays: 1 }],
  ])("%s stores its depth", (_what, more, wait, stands) => {
    const who = { execution: "exe_up", run: "2.0", action: "begin", incarnation: T0 };
    expect(parentOf(ticket(more), wait, T0)).toEqual({ ...who, ...stands });
  });

  test("of one that has lived long is no runaway", () => {
    const relayed = ticket({ nesting: { relays: 7 } });
    expect(parentOf(relayed, false, T0 + RELAY_REST_MS - 1).relays).toBe(8);
    expect(parentOf(relayed, false, T0 + RELAY_REST_MS).relays).toBe(0);
  });
});

describe("begins", () => {
  test.each<[string, Partial<Parent>]>([
    ["as deep as the limit", { depth: CHILD_DEPTH_MAX }],
    ["as late in a row as the limit", { waits: false, relays: RELAYS_MAX }],
    ["without a stored depth", {}],
  ])("%s", (_what, more) => {
    expect(machine().take(below(more)).state.parent).toMatchObject(more);
  });

  test.each<[string, Partial<Parent>, string]>([
    ["one deeper", { depth: CHILD_DEPTH_MAX + 1 }, `${CHILD_DEPTH_MAX} (CHILD_DEPTH_MAX)`],
    ["one later in a row", { waits: false, relays: RELAYS_MAX + 1 }, `${RELAYS_MAX} (RELAYS_MAX)`],
  ])("not %s: it is refused, and what to do is said", (_what, more, limit) => {
    const refusal = machine().refused(below(more));
    expect(refusal).toMatchObject({ code: "limit_exceeded", message: naming(limit), hint: expect.any(String) });
  });

  test("not after the starting attempt has ended", () => {
    const start = below({});
    const late = (notAfter: number) => (start.kind === "start" ? { ...start, notAfter } : start);
    expect(machine().take(late(T0)).status).toBe("waiting");
    expect(machine().refused(late(T0 - 1))).toMatchObject({ code: "unavailable" });
  });
});
