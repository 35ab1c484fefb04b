// Journeys whose date is moved: the cases of the table, for nodes. The traces begin on a Monday at 09:00.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import { day, hour, T0 } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const on = (more: JsonObject = {}): JsonObject => ({
  delay: { anchor: { var: "execution.variables.date" }, ifPast: "skip", ...more },
});
const told = (t: ReturnType<typeof go>) => t.beside.notMoved.map(({ kind, id, reason }) => `${kind} ${id} ${reason}`);
const back = (t: ReturnType<typeof go>) =>
  t.beside.cameBack.map(({ action, dueAt, because }) => `${action} ${(dueAt - T0) / hour}h ${because}`);

/** A long delay, so that the journey stays live. */
const last = { type: "delay", for: "P300D" };

describe("24 date past, ahead, removed", () => {
  test("a node that was past comes back when its date lies ahead; what followed it stays", () => {
    const t = go({ nodes: { mail: act("last", on()), last } });
    t.start({ date: T0 - day });
    expect(t.marks()).toEqual({ mail: "skipped already_past", last: "waiting" });
    t.patch({ date: T0 + day });
    expect([back(t), t.marks()]).toEqual([["mail 24h already_past"], { mail: "waiting", last: "waiting" }]);
    expect([t.at, t.position().counts]).toMatchObject(["last, mail", { done: 0, skipped: 0 }]);
    t.tickAt(day).ok("mail");
    expect(t.marks()).toEqual({ mail: "done", last: "waiting" });
    expect(t.position().counts).toMatchObject({ done: 1, skipped: 0 });
  });

  test("a node that came back holds the completion when all other nodes have ended", () => {
    const t = go({ initial: ["mail", "call"], nodes: { mail: act(undefined, on()), call: act() } } as never);
    t.start({ date: T0 - day })
      .patch({ date: T0 + day })
      .ok("call");
    expect([t.status, t.at, t.wake]).toEqual(["waiting", "mail", day]);
    expect(t.tickAt(day).ok("mail").status).toBe("completed");
  });

  test("a node that came back may be too late again, and a join does not wait for its edges", () => {
    const nodes = { mail: act("join", on()), call: act("join"), last, join: act() };
    const t = go({ initial: ["mail", "call", "last"], nodes } as never);
    t.start({ date: T0 - day }).patch({ date: T0 + day });
    expect(compile(t.definition as JourneyDefinition).nodes?.joins(t.position())).toMatchObject([
      { node: "join", taken: 1, from: ["call"] },
    ]);
    t.patch({ date: T0 - hour });
    expect([t.marks()["mail"], t.position().counts.skipped, told(t)]).toEqual(["skipped already_past", 1, []]);
    expect(t.moves).toEqual([{ timer: expect.any(String), node: "mail", from: T0 + day, to: null }]);
    expect(t.ok("call").runs()).toEqual(["mail skipped", "call ok", "mail skipped", "join queued"]);
  });

  test("a node that waits for an answer and is done again stays as it is", () => {
    const ask = {
      type: "task",
      config: { title: "Call" },
      await: { for: ["task_completed"] },
      ...on({ onMove: "redo" }),
    };
    const t = go({ nodes: { ask } });
    t.start({ date: T0 + hour })
      .tickAt(hour)
      .ok("ask")
      .patch({ date: T0 + day });
    expect([back(t), t.marks()]).toEqual([["ask 24h redo"], { ask: "waiting" }]);
  });

  test("a failure of what came back waits for a person, and moves nothing", () => {
    const t = go({ nodes: { mail: act("last", { ...on(), onFailed: "other" }), last, other: act() } });
    t.start({ date: T0 - day })
      .patch({ date: T0 + day })
      .tickAt(day)
      .miss("mail", { retryable: false });
    expect(t.marks()).toMatchObject({ mail: "failed", last: "waiting", other: "skipped not_reached" });
    expect([t.status, t.run("mail").deadLetter]).toEqual(["paused", true]);
    t.retry("mail").ok("mail");
    expect(t.marks()).toMatchObject({ mail: "done", last: "waiting", other: "skipped not_reached" });
  });

  test("an exit takes it along, and after one nothing comes back", () => {
    const part = { exitWhen: [{ event: "stop" }], nodes: { mail: act("last", on()), last } };
    const t = go(part);
    t.start({ date: T0 - day })
      .patch({ date: T0 + day })
      .event("stop");
    expect([t.status, t.runs()]).toEqual(["completed", ["mail skipped", "mail canceled"]]);
    const flying = go({
      exitWhen: [{ event: "stop" }],
      initial: ["mail", "call"],
      nodes: { mail: act(undefined, on()), call: act() },
    } as never);
    flying
      .start({ date: T0 - day })
      .claim("call")
      .event("stop")
      .patch({ date: T0 + day });
    expect([back(flying), told(flying)]).toEqual([[], [expect.stringMatching(/^run .* skipped$/)]]);
  });

  test("a node that is done is done again where it says so", () => {
    const t = go({ nodes: { mail: act("last", on({ onMove: "redo" })), last } });
    t.start({ date: T0 + hour })
      .tickAt(hour)
      .ok("mail")
      .patch({ date: T0 + day });
    expect([back(t), t.marks()]).toEqual([["mail 24h redo"], { mail: "waiting", last: "waiting" }]);
    expect(t.tickAt(day).ok("mail").runs()).toEqual(["mail ok", "mail ok"]);
  });

  test("removed: it waits; nodes ahead are not asked", () => {
    const t = go({ nodes: { mail: act("later", on()), later: act(undefined, on()) } });
    t.start({ date: T0 + day }).patch({ date: null });
    expect([t.wake, t.marks(), told(t)]).toEqual([null, { mail: "waiting" }, []]);
  });
});

describe("what does not move", () => {
  const until = { type: "delay", until: { anchor: { var: "execution.variables.date" } }, next: "last" };

  test("a delay that is over", () => {
    const t = go({ nodes: { soon: until, last } });
    t.start({ date: T0 + hour })
      .tickAt(hour)
      .patch({ date: T0 + day });
    expect([told(t), back(t), t.moves]).toEqual([["node soon done"], [], []]);
    expect(told(t.patch({ other: 1 }) as typeof t)).toEqual([]);
  });

  test("a delay that was past", () => {
    const past = { ...until, until: { ...until.until, ifPast: "skip" } };
    const t = go({ nodes: { soon: past, last } });
    t.start({ date: T0 - hour }).patch({ date: T0 + day });
    expect(told(t)).toEqual(["node soon skipped"]);
  });

  test("a delay that waits moves, and hangs on nothing else", () => {
    const t = go({ nodes: { soon: until, last } });
    t.start({ date: T0 + hour }).patch({ date: T0 + day });
    expect([told(t), t.moves]).toEqual([[], [{ timer: "soon/delay", node: "soon", from: T0 + hour, to: T0 + day }]]);
  });
});

describe("a date that moves into the past", () => {
  const past = { anchor: { var: "execution.variables.date" }, ifPast: "skip" };

  test("skips a waiting action, which is in one list only", () => {
    const t = go({ nodes: { mail: act("last", on()), last } });
    t.start({ date: T0 + day }).patch({ date: T0 - day });
    expect([t.marks()["mail"], told(t), back(t)]).toEqual(["skipped already_past", [], []]);
    expect(t.moves).toEqual([{ timer: "1.0", node: "mail", from: T0 + day, to: null }]);
  });

  test("passes a delay over, so that the journey continues", () => {
    const t = go({ nodes: { soon: { type: "delay", until: past, next: "last" }, last } });
    t.start({ date: T0 + day }).patch({ date: T0 - day });
    expect([t.marks(), told(t)]).toEqual([{ soon: "skipped already_past", last: "waiting" }, []]);
    expect(t.moves).toEqual([{ timer: "soon/delay", node: "soon", from: T0 + day, to: null }]);
  });

  test("ends a wait by its time limit", () => {
    const wait = { type: "wait", for: [{ event: "x" }], timeout: { after: past, next: "last" } };
    const t = go({ nodes: { wait, last } });
    t.start({ date: T0 + day }).patch({ date: T0 - day });
    expect(t.marks()).toEqual({ wait: "done", last: "waiting" });
  });
});

describe("what has no run any more", () => {
  // More runs than an execution keeps after they have ended.
  const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
  const many = (more: JsonObject) => {
    const nodes = Object.fromEntries(names.map((name, n) => [name, act(names[n + 1] ?? "last", on(more))]));
    const t = go({ nodes: { ...nodes, last } });
    return t;
  };

  test("is known by its mark", () => {
    const t = many({ ifPast: "run" });
    t.start({ date: T0 });
    for (const name of names) t.ok(name);
    t.clock(hour)
      .patch({ other: 1 })
      .patch({ date: T0 + day });
    const kinds = Map.groupBy(t.beside.notMoved, ({ kind, reason }) => `${kind} ${reason}`);
    expect([...kinds.keys()].toSorted()).toEqual(["node done", "run done"]);
    expect(t.beside.notMoved.map(({ action }) => action).toSorted()).toEqual(names.toSorted());
  });

  test("comes back by its mark", () => {
    const t = many({});
    t.start({ date: T0 - hour }).patch({ other: 1 });
    expect(t.state.runs.length).toBeLessThan(names.length);
    t.patch({ date: T0 + day });
    expect(t.beside.cameBack.map(({ action }) => action).toSorted()).toEqual(names.toSorted());
    expect(t.patch({ other: 1 }).beside.cameBack).toEqual([]);
  });
});
