// Joins: when a node with several incoming edges starts, when it never can, and what happens to later tokens.
import { describe, expect, it, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { journeyFindings } from "#kernel/verify/journey/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import { act, go, journey } from "./drive-journey.ts";

type Join = "all" | "any" | { readonly of: number };

/** A branch that leads to the join in both cases. */
function gate(isOpen: boolean): JsonObject {
  return { type: "branch", cases: [{ guard: isOpen, next: "join" }] };
}

const joins: readonly (readonly [string, Join, (taken: number) => boolean])[] = [
  ["all", "all", (taken) => taken > 0],
  ["any", "any", (taken) => taken > 0],
  ["of 1", { of: 1 }, (taken) => taken >= 1],
  ["of 2", { of: 2 }, (taken) => taken >= 2],
];

describe.each(joins)("join %s", (_name, join, begins) => {
  const combinations = [0, 1, 2, 3].map((bits) => [Boolean(bits & 1), Boolean(bits & 2)] as const);

  it.each(combinations)("17 join behind two branches, all combinations: %s and %s", (left, right) => {
    const nodes = { left: gate(left), right: gate(right), join: act("after", { join }), after: act() };
    const t = go({ initial: ["left", "right"], nodes });
    t.start();
    if (begins(Number(left) + Number(right))) {
      expect([t.at, t.runs()]).toEqual(["join", ["join queued"]]);
      expect(t.ok("join").ok("after").status).toBe("completed");
    } else {
      const skipped = { join: "skipped not_reached", after: "skipped not_reached" };
      expect([t.status, t.marks()]).toEqual(["completed", { left: "done", right: "done", ...skipped }]);
    }
  });
});

describe("all", () => {
  test("waits for the last of its ways, and begins once", () => {
    const t = go({ initial: ["a", "b"], nodes: { a: act("join"), b: act("join"), join: act() } });
    t.start().ok("a");
    expect([t.at, t.marks()["join"]]).toEqual(["b", "pending"]);
    expect(t.ok("b").runs()).toEqual(["a ok", "b ok", "join queued"]);
  });

  test("begins with the one that is taken when the other dies afterwards", () => {
    const b = { type: "wait", for: [{ event: "go", next: "join" }], timeout: { after: "P1D" } };
    const t = go({ initial: ["a", "b"], nodes: { a: act("join"), b, join: act() } });
    t.start().ok("a");
    expect(t.at).toBe("b");
    expect(t.tickAt(24 * 60 * 60_000).at).toBe("join");
  });
});

describe("any", () => {
  test("begins with the first, and absorbs the second, which the journal says", () => {
    const t = go({
      initial: ["a", "b"],
      nodes: { a: act("join"), b: act("join"), join: act(undefined, { join: "any" }) },
    });
    t.start().ok("a");
    t.newLines();
    expect(t.ok("b").newLines()).toContain("token_absorbed join from b");
    expect(t.runs().filter((run) => run.startsWith("join"))).toEqual(["join queued"]);
    expect(t.ok("join").status).toBe("completed");
  });

  test("a token that comes after it has ended is absorbed, too", () => {
    const t = go({
      initial: ["a", "b"],
      nodes: { a: act("join"), b: act("join"), join: act(undefined, { join: "any" }) },
    });
    t.start().ok("a").ok("join");
    expect([t.at, t.status]).toEqual(["b", "active"]);
    expect(t.ok("b").newLines()).toContain("token_absorbed join from b");
    expect(t.status).toBe("completed");
  });
});

describe("n of them", () => {
  const three = (join: Join) => ({
    initial: ["a", "b", "c"],
    nodes: { a: act("join"), b: act("join"), c: act("join"), join: act(undefined, { join }) },
  });

  test("begins with the nth", () => {
    const t = go(three({ of: 2 }));
    t.start().ok("a");
    expect(t.marks()["join"]).toBe("pending");
    t.ok("c");
    expect(t.marks()["join"]).toBe("waiting");
  });

  test("is skipped as soon as n is out of reach, and does not wait for the others", () => {
    const t = go(three({ of: 3 }));
    t.start().miss("b", { retryable: false }).archive("b");
    expect([t.marks()["join"], t.at]).toEqual(["skipped not_reached", "a, c"]);
  });

  test("more than lead there are refused", () => {
    const found = computeAtOnce(journeyFindings(journey(three({ of: 4 }))));
    expect(found).toEqual([expect.objectContaining({ pointer: "/nodes/join/join", code: "join_impossible" })]);
  });
});
