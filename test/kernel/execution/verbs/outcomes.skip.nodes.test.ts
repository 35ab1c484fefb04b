// An operator skips a node of a journey: through its run, without a run, or in advance.
import { describe, expect, test } from "vitest";
import type { Json } from "#schema/json.ts";
import { ask, hour, minute } from "#test/support/drive.ts";
import { act, go } from "../../programs/journey/drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const run = (id = "1.0") => ({ kind: "skip", target: { run: id } }) as const;
const node = (name: string, given: { result?: Json } = {}) =>
  ({ kind: "skip", target: { node: name }, ...given }) as const;

describe("a node that is skipped", () => {
  const asking = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] }, next: "b" };
  test("acts: with its run, which is named", () => {
    const t = go({ nodes: { a: act("b", { delay: "PT1H" }), b: act() } });
    t.start().verb(node("a"));
    expect(t.marks()).toEqual({ a: "skipped by_operator", b: "waiting" });
    expect(t.entries.find(({ kind }) => kind === "skipped_by_operator")).toMatchObject({
      node: "a",
      run: "1.0",
      action: "a",
    });
  });

  test("acts, with a result: it is done with that", () => {
    const assign = { id: { var: "message.payload.result.id" } };
    const t = go({ nodes: { a: act("b", { assign }), b: act() } });
    t.start().verb(node("a", { result: { id: 7 } }));
    expect([t.marks(), t.state.variables]).toEqual([{ a: "done", b: "waiting" }, { id: 7 }]);
  });

  test("has failed, and a person decides that it does not matter", () => {
    const t = go({ nodes: { a: act("b"), b: act() } });
    t.start().miss("a", { retryable: false }).verb(node("a"));
    expect([t.marks(), t.position().counts]).toEqual([
      { a: "skipped by_operator", b: "waiting" },
      { done: 0, skipped: 1, failed: 0, of: 2 },
    ]);
  });

  test("waits for a time, or for an event: it goes on by its next", () => {
    const delay = go({ nodes: { a: { type: "delay", for: "P1D", next: "b" }, b: act() } });
    delay.start().verb(node("a"));
    expect([delay.marks(), delay.timers()]).toEqual([{ a: "skipped by_operator", b: "waiting" }, {}]);
    expect(delay.newLines().slice(1, 5)).toContain("skipped_by_operator a");
    const wait = go({
      nodes: { a: { type: "wait", for: [{ event: "go" }], timeout: { after: "P1D" }, next: "b" }, b: act() },
    });
    wait.start().verb(node("a"));
    expect([wait.marks(), wait.timers()]).toEqual([{ a: "skipped by_operator", b: "waiting" }, {}]);
  });

  test("waits for an answer: the wait ends, and its task is withdrawn", () => {
    const t = go({ nodes: { a: asking, b: act() } });
    t.start().ok("a", { tasks: [{ run: "1.0", id: "tsk_1", isOpen: true }] });
    expect(t.refused(ask.verb(run()))).toMatchObject({
      code: "verb_not_applicable",
      message: naming("1.0", "ok"),
      hint: naming("complete", "a", "skip"),
    });
    expect(t.refused(ask.verb(node("a", { result: 1 })))).toMatchObject({
      code: "verb_not_applicable",
      hint: naming("as"),
    });
    t.verb(node("a"));
    expect([t.marks(), t.state.tasks?.[0]?.withdrawn?.reason]).toEqual([
      { a: "skipped by_operator", b: "waiting" },
      "state_left",
    ]);
  });

  test("asks: with a result it has asked, and waits for the answer", () => {
    const t = go({ nodes: { a: asking, b: act() } });
    t.start().verb(node("a", { result: {} }));
    expect([t.marks(), t.position().nodes["a"]?.awaits]).toEqual([{ a: "waiting" }, "1.0"]);
  });

  test("is repeated: unstarted items are canceled, and failed items need no operator", () => {
    const each = { type: "each", times: 3, node: act(), next: "b" };
    const t = go({ concurrency: 2, nodes: { a: each, b: act() } });
    t.start()
      .claim("1.0")
      .settle("1.0", { ok: false, error: { type: "x", message: "no", retryable: false }, startedAt: 0, endedAt: 0 });
    t.verb(node("a"));
    expect([t.marks(), t.runs()]).toEqual([
      { a: "skipped by_operator", b: "waiting" },
      ["a skipped", "a canceled", "b queued"],
    ]);
    expect(t.refused(ask.verb(node("a", { result: 1 }))).message).toEqual(naming("a", "skipped", "by_operator"));
  });

  test("lies ahead: it is passed over once it is reached", () => {
    const nodes = {
      a: act("b"),
      b: act(["c", "d"]),
      c: act(),
      d: { type: "branch", cases: [{ next: "e" }] },
      e: act(),
    };
    const t = go({ nodes });
    t.start().verb(node("b"));
    expect([t.marks(), t.newLines().at(-1)]).toEqual([{ a: "waiting", b: "pending" }, "skipped_by_operator b"]);
    const code = "verb_not_applicable";
    expect(t.refused(ask.verb(node("b")))).toMatchObject({ code, message: naming("b") });
    expect(t.refused(ask.verb(node("c", { result: 1 })))).toMatchObject({ code, message: naming("c", "result") });
    t.ok("a");
    expect(t.marks()).toMatchObject({ a: "done", b: "skipped by_operator", c: "waiting", d: "done" });
    expect(t.newLines()).toContain("nodes_skipped b: by_operator");
  });

  test("may be skipped while it is paused, and nothing goes out", () => {
    const t = go({ nodes: { a: { type: "delay", for: "P1D", next: "b" }, b: act() } });
    t.start().pause().verb(node("a"));
    expect([t.status, t.runs()]).toEqual(["paused", ["b scheduled"]]);
    expect(t.resume().runs()).toEqual(["b queued"]);
  });

  test("through a rule that breaks is refused", () => {
    const branch = { type: "branch", cases: [{ guard: { "+": ["x", { var: "execution.variables.n" }] }, next: "c" }] };
    const t = go({ nodes: { a: { type: "delay", for: "P1D", next: "b" }, b: branch, c: act() } });
    t.start({ n: 1 });
    expect(t.refused(ask.verb(node("a")))).toMatchObject({ code: "invalid_input" });
  });
});

describe("a node is not skipped", () => {
  const nodes = {
    a: act("b"),
    b: { type: "branch", cases: [{ next: "c" }, { next: "d" }] },
    c: { type: "wait", for: [{ event: "x", next: "d" }] },
    d: { type: "delay", for: "PT1M", next: "e" },
    e: { type: "exit" },
  };
  const t = () => {
    const made = go({ nodes });
    made.start();
    return made;
  };
  test.each([
    ["without a name that is known", "zzzzzzz", { code: "not_found", message: naming("zzzzzzz") }],
    [
      "whose ways are all its own",
      "b",
      { code: "verb_not_applicable", message: naming("b", "cases/0, cases/1"), hint: naming("as") },
    ],
  ])("%s", (_, name, refusal) => {
    expect(t().refused(ask.verb(node(name)))).toMatchObject(refusal);
  });

  test("while it is in flight, nor when it is over, nor when the journey has been left", () => {
    expect(
      t()
        .claim("a")
        .refused(ask.verb(node("a"))),
    ).toMatchObject({ code: "verb_not_applicable", message: naming("1.0"), hint: naming("2026-01-05T09:00:35.000Z") });
    const over = t().ok("a");
    expect(over.refused(ask.verb(node("a")))).toMatchObject({
      code: "verb_not_applicable",
      message: naming("a", "done"),
    });
    const left = go({ nodes: { a: act(), g: act() }, initial: ["a", "g"], exitWhen: [{ event: "stop" }] });
    left.start().claimAll().event("stop");
    expect(left.refused(ask.verb(node("g"))).message).toEqual(naming("1.1"));
    left.settle("g", { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 });
    expect(left.refused(ask.verb(node("g"))).message).toEqual(naming("exitWhen/0"));
  });

  test("close to another's name: that is guessed", () => {
    const named = go({ nodes: { welcome: act("goodbye"), goodbye: act() } });
    expect(named.start().refused(ask.verb(node("welcom"))).hint).toEqual(naming("welcome"));
  });

  test("of a journey whose every run is gone from memory is never said to be under way", () => {
    const made = t();
    made.become({ ...made.state, runs: [], triggers: [] });
    expect(made.refused(ask.verb(node("a")))).toMatchObject({ code: "verb_not_applicable", hint: naming("GET") });
  });

  test("an exit ahead may be: then the journey goes on without it", () => {
    const made = go({ nodes: { a: { type: "delay", for: "PT1M", next: ["e", "f"] }, e: { type: "exit" }, f: act() } });
    made.start().verb(node("e")).tickAt(minute);
    expect(made.marks()).toMatchObject({ e: "skipped by_operator", f: "waiting" });
    expect(made.clock(hour).status).toBe("active");
  });
});
