// An operator chooses the way of a branch or a split before the journey reaches the node.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import { ask } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { act, go } from "./drive-journey.ts";

const branch = { type: "branch", cases: [{ guard: true, next: "yes" }, { next: "no" }, {}] };
const split = {
  type: "split",
  ways: [
    { name: "big", weight: 1, next: "yes" },
    { weight: 1, next: "no" },
    { name: "end", weight: 1 },
  ],
};
const complete = (as?: string) =>
  ({ kind: "complete", target: { node: "choice" }, ...(as === undefined ? {} : { as }) }) as const;
const skip = { kind: "skip", target: { node: "choice" } } as const;
const gated = (choice: JsonObject) => {
  const t = go({ nodes: { gate: act("choice"), choice, yes: act(), no: act() } });
  t.start();
  return t;
};

describe("the way is taken when the node is reached", () => {
  test.each([
    ["a branch, by the way", branch, "cases/1", "no"],
    ["a branch, by its next node", branch, "no", "no"],
    ["a split, by the way", split, "ways/big", "yes"],
    ["a split, by its next node", split, "no", "no"],
  ])("%s", (_what, choice, as, next) => {
    const t = gated(choice);
    t.verb(complete(as)).ok("gate");
    expect(t.marks()).toMatchObject({ choice: "done", [next]: "waiting" });
    expect(t.entries.find(({ kind }) => kind === "completed_by_operator")).toMatchObject({ node: "choice" });
  });

  test("a case without a next node ends the path", () => {
    const t = gated(branch);
    expect(t.verb(complete("cases/2")).ok("gate").status).toBe("completed");
    expect(t.marks()).toMatchObject({ choice: "done", yes: "skipped not_reached", no: "skipped not_reached" });
  });

  test("the last choice counts", () => {
    const t = gated(branch);
    t.verb(complete("no")).verb(complete("yes")).ok("gate");
    expect(t.marks()).toMatchObject({ yes: "waiting", no: "skipped not_reached" });
    const shared = gated({ ...split, ways: split.ways.map(({ next: _next, ...way }) => way), next: "yes" });
    shared.verb(complete("ways/big")).verb(skip).ok("gate");
    expect(shared.marks()).toMatchObject({ choice: "skipped by_operator", yes: "waiting" });
    const decided = gated({ ...split, ways: split.ways.map(({ next: _next, ...way }) => way), next: "yes" });
    decided.verb(skip).verb(complete("yes")).ok("gate");
    expect(decided.marks()).toMatchObject({ choice: "done", yes: "waiting" });
  });
});

describe("a request that is refused names the way out", () => {
  test.each([undefined, "maybe"])("complete with as: %s", (as) => {
    const { code, message, errors } = gated(branch).refused(ask.verb(complete(as)));
    expect([code, errors?.[0]?.code]).toEqual(["invalid_input", "unknown_way"]);
    expect(message).toEqual(naming("cases/0", "cases/1", "yes", "no"));
  });

  test("a skip, because no single way is next", () => {
    const refusal = gated(branch).refused(ask.verb(skip));
    expect([refusal.code, refusal.hint]).toEqual(["verb_not_applicable", naming("as")]);
    expect(gated(split).refused(ask.verb(skip)).hint).toBe(refusal.hint);
    const wait = {
      type: "wait",
      for: [
        { event: "x", next: "yes" },
        { event: "y", next: "no" },
      ],
    };
    const waiting = gated(wait).refused(ask.verb(skip));
    expect(waiting.code).toBe("verb_not_applicable");
    expect(waiting.hint).not.toBe(refusal.hint);
  });
});
