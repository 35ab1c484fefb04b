// Probable mistakes in a journey.
import { expect, test } from "vitest";
import { warningsOf } from "#test/kernel/verify/at-once.ts";
import { act, journey } from "../../programs/journey/drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const never = { "==": [1, 2] };

function told(written: Parameters<typeof journey>[0]): readonly (readonly [string, string, string])[] {
  return warningsOf(journey(written)).map(({ pointer, code, fix }) => [pointer, code, fix]);
}

test("rules that never hold, wherever they stand", () => {
  const nodes = {
    a: act("b", { condition: never }),
    b: { type: "branch", cases: [{ guard: never, next: "w" }, { next: "w" }] },
    w: { type: "wait", for: [{ event: "x", guard: never }, { when: never }], condition: never },
  };
  const found = told({ exitWhen: [{ when: never }], nodes: nodes as never });
  expect(new Set(found.map(([, code]) => code))).toEqual(new Set(["never_holds"]));
  expect(found.map(([pointer]) => pointer).toSorted()).toEqual([
    "/exitWhen/0/when",
    "/nodes/a/condition",
    "/nodes/b/cases/0/guard",
    "/nodes/w/condition",
    "/nodes/w/for/0/guard",
    "/nodes/w/for/1/when",
  ]);
});

test("cases after one that always holds", () => {
  const cases = [{ guard: { var: "execution.variables.x" }, next: "c" }, { next: "c" }, { guard: true, next: "d" }];
  const nodes = { b: { type: "branch", cases }, c: act(), d: act(undefined, { join: "any" }) };
  const sound = { type: "branch", cases: [{ guard: { var: "execution.variables.x" }, next: "b" }] };
  expect(told({ variables: { x: 1 }, nodes: { first: sound, ...nodes } as never })).toEqual([
    ["/nodes/b/cases/2", "never_taken", naming("/nodes/b/cases/1")],
    ["/nodes/d/join", "join_single_edge", expect.any(String)],
  ]);
});

test("events that are declared and that nothing waits for", () => {
  const w = { type: "wait", for: [{ event: "paid" }] };
  const events = { payd: {}, canceled: {}, paid: {} };
  expect(
    told({
      events,
      exitWhen: [{ event: "canceled" }, { when: { var: "execution.variables.x" } }],
      variables: { x: 0 },
      nodes: { w } as never,
    }),
  ).toEqual([["/events/payd", "event_unhandled", expect.any(String)]]);
});
