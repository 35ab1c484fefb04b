// Compensation: completed actions are undone one at a time, the last first, whatever happens meanwhile.
import { describe, expect, test } from "vitest";
import { ask, failure, hour, success } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const undo = { type: "webhook", config: { url: "https://example.com/free/{{ node.result.id }}" } };
const plain = { type: "webhook", config: { url: "https://example.com/free/{{ node.name }}" } };
const exitWhen = [{ event: "off", outcome: "canceled", compensate: true }] as const;
const final = { retryable: false };

/** a and b are done, c waits for an event. */
function begun(more: object = {}) {
  const nodes = { a: act("b", { undo }), b: act("c", { undo }), c: { type: "wait", for: [{ event: "never" }] } };
  const t = go({ concurrency: 1, exitWhen: [...exitWhen], nodes: { ...nodes, ...more } });
  t.start()
    .claim("a")
    .settle("a", success({ result: { id: 1 } }));
  t.claim("b").settle("b", success({ result: { id: 2 } }));
  return t;
}

describe("compensation", () => {
  test("takes back what was done, the last first, each once the one before has ended", () => {
    const t = begun();
    t.event("off");
    expect([t.status, t.runs()]).toEqual(["active", ["a ok", "b ok", "b:undo queued"]]);
    t.claim("b:undo");
    expect(t.run("b:undo").config).toEqual({ url: "https://example.com/free/2" });
    t.settle("b:undo", success());
    expect(t.runs()).toEqual(["a ok", "b ok", "b:undo ok", "a:undo queued"]);
    t.claim("a:undo");
    expect(t.run("a:undo").config).toEqual({ url: "https://example.com/free/1" });
    t.settle("a:undo", success());
    expect(t.status).toBe("canceled");
    expect(t.newLines().filter((line) => line.startsWith("compensating"))).toEqual(["compensating b, a"]);
  });

  test("an exit that does not ask for it takes nothing back", () => {
    const t = begun({ c: { type: "exit" } });
    expect([t.status, t.runs()]).toEqual(["completed", ["a ok", "b ok"]]);
  });

  test("an exit node may ask for it, and ends as it says", () => {
    const t = begun({ c: { type: "exit", outcome: "failed", compensate: true } });
    t.ok("b:undo").ok("a:undo");
    expect([t.status, t.state.error?.message]).toEqual(["failed", naming("c")]);
  });

  test("with nothing done there is nothing to take back", () => {
    const t = go({ exitWhen: [...exitWhen], nodes: { a: act(undefined, { undo, delay: "P1D" }) } });
    t.start().event("off");
    expect([t.status, t.runs()]).toEqual(["canceled", ["a canceled"]]);
  });

  test("what was skipped, or never reached, is not taken back", () => {
    const b = act("c", { undo, condition: false });
    const nodes = { a: act("b", { undo: plain }), b, c: act("d"), d: act(undefined, { undo }) };
    const t = go({ exitWhen: [...exitWhen], nodes });
    t.start().ok("a").event("off");
    expect(t.newLines()).toContain("compensating a");
  });
});

describe("what is in flight", () => {
  test("settles first; done after all, it is taken back before all others", () => {
    const t = begun({ c: act(undefined, { undo }) });
    t.claim("c").event("off");
    expect([t.status, t.runs()]).toEqual(["active", ["a ok", "b ok", "c running"]]);
    t.settle("c", success({ result: { id: 3 } })).claim("c:undo");
    expect(t.run("c:undo").config).toEqual({ url: "https://example.com/free/3" });
    expect(t.newLines()).toContain("compensating c, b, a");
  });

  test("with unknown effect is undone as well", () => {
    const t = begun({ c: act(undefined, { undo: plain }) });
    t.claim("c")
      .event("off")
      .settle("c", failure({ type: "timeout", effect: "unknown" }));
    expect(t.newLines()).toContain("compensating c, b, a");
    expect(t.runs().at(-1)).toBe("c:undo queued");
  });

  test("of several with unknown effect the last to end is undone first", () => {
    const lost = { type: "timeout", effect: "unknown" } as const;
    const order = (first: string, second: string): string[] => {
      const nodes = { a: act(undefined, { undo: plain }), b: act(undefined, { undo: plain }) };
      const t = go({ exitWhen: [...exitWhen], initial: ["a", "b"], nodes });
      t.start().claimAll().event("off").clock(1_000).settle(first, failure(lost));
      t.clock(2_000).settle(second, failure(lost));
      return t.newLines().filter((line) => line.startsWith("compensating"));
    };
    expect([order("a", "b"), order("b", "a")]).toEqual([["compensating b, a"], ["compensating a, b"]]);
  });

  test.each([
    ["has not been answered by its deadline", (t: ReturnType<typeof begun>) => t.tickAt(hour)],
    ["timed out", (t: ReturnType<typeof begun>) => t.settle("c", failure({ type: "timeout" }))],
    ["was lost with its object", (t: ReturnType<typeof begun>) => t.take(ask.orphaned(t.run("c").id))],
  ])("that %s may have been done, and is taken back", (_how, ends) => {
    const t = begun({ c: act(undefined, { undo: plain }) });
    t.claim("c").event("off");
    ends(t);
    expect(t.newLines()).toContain("compensating c, b, a");
  });

  test("that was refused has done nothing", () => {
    const t = begun({ c: act(undefined, { undo }) });
    t.claim("c").event("off").settle("c", failure(final));
    expect(t.newLines()).toContain("compensating b, a");
  });
});

describe("what has begun and is not over", () => {
  test("an each is taken back if any of its items was done", () => {
    const c = {
      type: "each",
      times: 3,
      node: { type: "webhook", config: { url: "https://example.com" } },
      undo: plain,
    };
    const t = begun({ c });
    t.ok("c").event("off");
    expect(t.newLines()).toContain("compensating c, b, a");
  });

  test("an each that has done nothing is not", () => {
    const c = {
      type: "each",
      times: 3,
      node: { type: "webhook", config: { url: "https://example.com" } },
      undo: plain,
    };
    const t = begun({ c });
    t.event("off");
    expect(t.newLines()).toContain("compensating b, a");
  });

  test("a node that waits for an answer is", () => {
    const asks = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] }, undo: plain };
    const t = begun({ c: asks });
    t.ok("c").event("off");
    expect(t.newLines()).toContain("compensating c, b, a");
  });
});

test("a node without a stored run is undone by its mark, with its result", () => {
  // More runs than an execution keeps after they have ended.
  const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
  const nodes = Object.fromEntries(names.map((name, n) => [name, act(names[n + 1] ?? "last", { undo })]));
  const asks = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] }, undo: plain };
  const t = go({ exitWhen: [...exitWhen], initial: ["asks", "n0"], nodes: { ...nodes, asks, last: act() } });
  t.start().ok("asks");
  names.forEach((name, id) => t.claim(name).settle(name, success({ result: { id } })));
  t.clock(hour).patch({ other: 1 }).patch({ other: 2 });
  expect(t.state.runs.some(({ action }) => action === "n0" || action === "asks")).toBe(false);
  t.event("off").ok("asks:undo");
  for (const name of names.toReversed()) {
    t.claim(`${name}:undo`);
    expect(t.run(`${name}:undo`).config).toEqual({ url: `https://example.com/free/${name.slice(1)}` });
    t.settle(`${name}:undo`, success());
  }
  expect(t.status).toBe("canceled");
});

describe("when an undo fails permanently", () => {
  const stuck = () => {
    const t = begun();
    t.event("off").miss("b:undo", final);
    return t;
  };

  test("it is paused as compensation_stuck, and the others wait", () => {
    const t = stuck();
    expect([t.status, t.state.reason, t.runs().at(-1)]).toEqual(["paused", "compensation_stuck", "b:undo failed"]);
  });

  test("sent again and resumed, it goes on", () => {
    const t = stuck();
    t.retry("b:undo").resume().ok("b:undo").ok("a:undo");
    expect(t.status).toBe("canceled");
  });

  test("archived and resumed, it continues with the next", () => {
    const t = stuck();
    t.archive("b:undo").resume().ok("a:undo");
    expect(t.status).toBe("canceled");
  });

  test("only resumed, it is paused again at once: nothing is passed over in silence", () => {
    const t = stuck();
    t.resume();
    expect([t.status, t.state.reason]).toEqual(["paused", "compensation_stuck"]);
  });

  test("canceled, it ends where it is", () => {
    expect(stuck().cancel().status).toBe("canceled");
  });

  test("25 crash in a failing undo: it is sent again under its key, fails, and what comes before it stays for later", () => {
    const t = begun();
    t.event("off").claim("b:undo");
    const { id } = t.run("b:undo");
    t.take(ask.orphaned(id));
    expect([t.run("b:undo").id, t.run("b:undo").status, t.run("b:undo").attempt]).toEqual([id, "queued", 1]);
    t.claim("b:undo");
    expect(t.run("b:undo").attempts.at(-1)?.possiblyRepeated).toBe(true);
    t.settle("b:undo", failure(final));
    expect([t.state.reason, t.runs()]).toEqual(["compensation_stuck", ["a ok", "b ok", "b:undo failed"]]);
    t.retry("b:undo").resume().ok("b:undo").ok("a:undo");
    expect(t.status).toBe("canceled");
  });
});

test("a pause in between holds what is still to be taken back", () => {
  const t = begun();
  t.event("off").claim("b:undo").pause().settle("b:undo", success());
  expect([t.status, t.runs().at(-1)]).toEqual(["paused", "b:undo ok"]);
  t.resume();
  expect(t.runs().at(-1)).toBe("a:undo queued");
});

test("a result that is too large to keep is not passed to the undo", () => {
  const large = { id: "x".repeat(200 * 1024) };
  const t = go({
    exitWhen: [...exitWhen],
    concurrency: 1,
    nodes: { a: act("b", { undo }), b: act("c", { undo: plain }), c: act() },
  });
  t.start()
    .claim("a")
    .settle("a", success({ result: large }));
  t.claim("b").settle("b", success({ result: large }));
  expect(t.newLines().filter((line) => line.startsWith("result_not_kept"))).toEqual([
    "result_not_kept b: 204809 bytes",
  ]);
});
