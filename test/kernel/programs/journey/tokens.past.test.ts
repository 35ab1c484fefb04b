// Late enrolment: the nodes after a node that was skipped as past are skipped too, up to the first instant ahead.
import { describe, expect, test } from "vitest";
import { day, hour, T0 } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const on = (more = {}) => ({ anchor: { var: "execution.variables.date" }, ...more });
const skip = on({ ifPast: "skip" });
const late = { date: T0 - 10 * day };

type Part = Parameters<typeof go>[0];

/** A journey that a subject has entered ten days late. */
function startLate(nodes: Part["nodes"], initial?: Part["initial"]) {
  const t = go({ nodes, ...(initial === undefined ? {} : { initial }) });
  t.start({ ...late, list: [1] });
  return t;
}

describe("weekly mails of an enrolment ten days late", () => {
  const marks = { one: "skipped already_past", two: "skipped past", three: "waiting" };

  test("with delays of their own", () => {
    const nodes = {
      one: act("two", { delay: skip }),
      two: act("three", { delay: "P7D" }),
      three: act(undefined, { delay: "P7D" }),
    };
    const t = startLate(nodes);
    expect([t.marks(), t.wake]).toEqual([marks, 4 * day]);
    expect(t.tickAt(4 * day).runs()).toEqual(["one skipped", "two skipped", "three queued"]);
  });

  test("behind delay nodes", () => {
    const nodes = {
      start: { type: "delay", until: skip, next: "one" },
      one: act("week"),
      week: { type: "delay", for: "P7D", next: "two" },
      two: act("again"),
      again: { type: "delay", for: "P7D", next: "three" },
      three: act(),
    };
    const t = startLate(nodes);
    expect(t.marks()).toEqual({
      start: "skipped already_past",
      one: "skipped past",
      week: "skipped past",
      two: "skipped past",
      again: "waiting",
    });
    t.tickAt(4 * day);
    expect(t.marks()).toMatchObject({ again: "done", three: "waiting" });
  });

  test("a mail with a date and an ifPast of its own decides for itself", () => {
    const own = { delay: on({ offset: "P7D", ifPast: { runWithin: "P4D" } }) };
    const nodes = { one: act("two", { delay: skip }), two: act("three", own), three: act() };
    const t = startLate(nodes);
    expect(t.marks()).toEqual({ one: "skipped already_past", two: "waiting" });
    t.ok("two");
    expect(t.marks()).toMatchObject({ three: "waiting" });
  });

  test("mails at later dates are skipped too, and run again when their date moves ahead", () => {
    const two = { delay: on({ offset: "P7D" }) };
    const nodes = { one: act("two", { delay: skip }), two: act("three", two), three: { type: "delay", for: "P60D" } };
    const t = startLate(nodes);
    expect(t.marks()).toMatchObject({ two: "skipped past", three: "waiting" });
    t.patch({ date: T0 + day });
    expect(t.beside.cameBack.map(({ action }) => action)).toEqual(["one", "two"]);
  });
});

describe("other nodes after a node that was skipped as past", () => {
  const past = { one: act("next", { delay: skip }) };
  test.each([
    ["a branch", { type: "branch", cases: [{ next: "mail" }] }, "done", "skipped past"],
    ["a split", { type: "split", ways: [{ weight: 1, next: "mail" }] }, "done", "skipped past"],
    [
      "a repeated node",
      { type: "each", times: 2, node: { type: "webhook", config: {} }, next: "mail" },
      "skipped past",
      "skipped past",
    ],
    ["a child", { type: "journey", definition: "other", next: "mail" }, "skipped past", "skipped past"],
    [
      "a node whose condition is false",
      { type: "split", ways: [{ weight: 1 }], condition: false, next: "mail" },
      "skipped condition_false",
      "skipped past",
    ],
    ["a wait, which begins now", { type: "wait", for: [{ when: true, next: "mail" }] }, "done", "waiting"],
  ])("%s", (_what, next, itself, after) => {
    const t = startLate({ ...past, next, mail: act() });
    expect(t.marks()).toEqual({ one: "skipped already_past", next: itself, mail: after });
  });

  test("a join also waits for a branch that is on time, and then runs", () => {
    const t = startLate({ ...past, two: act("next"), next: act() }, ["one", "two"]);
    expect(t.marks()).toMatchObject({ next: "pending" });
    t.clock(hour).ok("two");
    expect(t.marks()).toMatchObject({ next: "waiting" });
  });

  test("a join whose branches are all past is skipped", () => {
    const two = act("next", { delay: on({ offset: "P1D", ifPast: "skip" }) });
    expect(startLate({ ...past, two, next: act() }, ["one", "two"]).marks()).toMatchObject({ next: "skipped past" });
  });

  test("a node whose instant was ahead and whose condition is false then does not skip what follows", () => {
    const next = act("mail", { delay: "P11D", condition: false });
    const t = startLate({ ...past, next, mail: act() });
    t.tickAt(day + hour);
    expect(t.marks()).toMatchObject({ next: "skipped condition_false", mail: "waiting" });
  });

  test("a node that an operator has skipped in advance", () => {
    const gate = { type: "wait", for: [{ event: "x" }], next: "one" };
    const t = startLate({ gate, ...past, next: act("mail"), mail: act() });
    t.verb({ kind: "skip", target: { node: "next" } }).event("x");
    expect(t.marks()).toMatchObject({ one: "skipped already_past", next: "skipped by_operator", mail: "skipped past" });
  });
});
