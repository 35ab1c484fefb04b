// A journey that is restarted at one of its nodes: which nodes stay, which are passed over, and which start again.
import { describe, expect, test } from "vitest";
import { minute, hour, success } from "#test/support/drive.ts";
import { again, because, run } from "../../execution/restart/again.ts";
import { act, journey } from "./drive-journey.ts";

describe("a journey", () => {
  const undo = { type: "webhook", config: { url: "https://example.com" } };
  const trip = (more: object = {}) =>
    journey({
      initial: ["one", "side"],
      exitWhen: [{ event: "off", outcome: "canceled" }],
      nodes: {
        one: act("two", { undo, assign: { seen: { var: "message.payload.result" } } }),
        two: act(["three", "left"]),
        three: act("join"),
        left: { type: "wait", for: [{ event: "never" }], next: "join" },
        join: act("end", { join: "any" }),
        end: act(),
        side: act("later"),
        later: { type: "delay", for: "PT2H", next: "aside" },
        aside: act(),
        ...more,
      },
    });
  const begun = () => run(trip()).start().ok("one", { result: 1 }).ok("side").ok("two", { result: 2 });

  test("begins at the node: what had ended stays, what was beside it and had not begins again", () => {
    const t = again(trip(), begun().cancel(), { node: "three" });
    const { position } = t.state;
    if (position.kind !== "journey") throw new Error("it is one");
    const marks = Object.fromEntries(Object.entries(position.nodes).map(([name, { status }]) => [name, status]));
    expect(marks).toEqual({
      one: "done",
      side: "done",
      two: "done",
      three: "waiting",
      left: "waiting",
      later: "waiting",
    });
    expect(t.runs()).toEqual(["three queued"]);
    expect(position.counts).toMatchObject({ done: 3, of: 9 });
    expect(position.nodes["one"]?.result).toBe(1);
    t.ok("three").ok("join").ok("end");
    t.tickAt(2 * hour).ok("aside");
    expect([t.status, t.runs()]).toEqual(["waiting", ["three ok", "join ok", "end ok", "aside ok"]]);
  });

  test("passes over what was made at or after the node, and nothing that stays", () => {
    const t = begun().ok("three", { result: 3 });
    expect(because(t.program, t, { node: "two" })).toEqual([
      expect.stringContaining("one before"),
      expect.stringContaining("side before"),
      expect.stringContaining("two -"),
      expect.stringContaining("three -"),
    ]);
    const next = again(trip(), t.cancel(), { node: "two" });
    expect(next.runs()).toEqual(["two ok", "three ok", "join queued"]);
  });

  test("passes over nodes before it that the earlier execution had not reached", () => {
    const t = again(trip(), run(trip()).start().cancel(), { node: "join" });
    const skipped = t.entries.find(({ kind }) => kind === "nodes_skipped");
    expect(skipped).toMatchObject({ nodes: ["one", "two", "three", "left"], reason: "before_restart" });
    expect(t.runs()).toEqual(["join queued", "side queued"]);
    expect(t.ok("join").ok("end").status).toBe("active");
  });

  test("begins again what an exit had left", () => {
    const t = again(trip(), begun().event("off"), { node: "end" });
    expect(t.runs()).toEqual(["end queued"]);
    expect(Object.keys(t.timers())).toEqual(["later/delay"]);
  });

  test("counts on the ways that have ended: taken, dead, or passed over", () => {
    const forks = journey({
      initial: ["a", "b"],
      nodes: {
        a: act("c", { condition: false }),
        b: { type: "branch", cases: [{ guard: { var: "execution.variables.yes" }, next: "d" }, { next: "e" }] },
        c: act(["all", "late"]),
        d: act("all"),
        e: act(["all", "late"]),
        all: act("end"),
        late: act("end", { join: "any" }),
        end: act(),
      },
    });
    // a is skipped and continues, d is never reached, c and e are done.
    const t = run(forks).start().ok("e").ok("c").ok("all");
    expect(t.runs()).toEqual(["a skipped", "e ok", "c ok", "late queued", "all ok"]);
    const beside = again(forks, t.cancel(), { node: "all" });
    expect([beside.runs(), beside.ok("late").ok("end").status]).toEqual([["all ok", "late queued"], "completed"]);
    // The branch keeps its result. The node after it had not ended, so it starts again beside the restarted node.
    const early = again(forks, run(forks).start().cancel(), { node: "e" });
    expect(early.runs()).toEqual(["e queued", "c queued"]);
    const middle = again(forks, run(forks).start().cancel(), { node: "d" });
    expect(middle.runs().toSorted()).toEqual(["c queued", "d queued", "e queued"]);
  });

  test("goes on with each item that had not been done", () => {
    const list = journey({
      initial: "each",
      nodes: {
        each: {
          type: "each",
          times: 3,
          node: { type: "webhook", config: { url: "https://example.com" } },
          next: "end",
        },
        end: act(),
      },
    });
    const t = run(list).start();
    const [first, second, third] = t.state.runs.map(({ id }) => id);
    t.ok(String(first), { result: "a" }).ok(String(third), { result: "c" }).claim(String(second));
    const next = again(list, t.clock(minute).cancel(), { node: "each" });
    expect(next.runs()).toEqual(["each ok", "each queued", "each ok"]);
    expect(next.state.runs.map(({ result }) => result)).toEqual(["a", null, "c"]);
    next.claimAll();
    next.settle(String(next.state.runs[1]?.id), success());
    expect(next.runs()).toEqual(["each ok", "each ok", "each ok", "end queued"]);
  });
});
