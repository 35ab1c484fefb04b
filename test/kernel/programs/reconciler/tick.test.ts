// When rules are evaluated, and which rule is applied.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import { action, ask, minute, second, T0 } from "#test/support/drive.ts";
import { lineOf } from "#test/support/journal-line.ts";
import { go, told, type Written } from "./drive-reconciler.ts";
import { worker } from "./worker.ts";
import { naming } from "#test/support/matchers/naming.ts";

const down = { running: false, configValid: true };
const up = { running: true, configValid: true };
const is = (name: string): JsonObject => ({ var: name });

describe("a reconciler", () => {
  test("begins in its initial state, with its reason, and ticks at the next instant of its grid", () => {
    const t = go(worker);
    expect(t.stands()).toBe("TryingToStart: attempting to start");
    expect(t.wake).toBe(second);
    expect(t.status).toBe("waiting");
  });

  test("goes from state to state, one a tick, by the first rule that holds", () => {
    const t = go(worker);
    t.tickAt(second);
    expect(t.runs()).toEqual(["start queued"]);
    t.clock(1_300).ok("start");
    t.clock(1_400);
    t.observe(up);
    t.tickAt(2 * second);
    expect(t.stands()).toBe("Running: running");
    expect(t.status).toBe("waiting");
    t.clock(2_500);
    expect(t.observe(down).wake).toBe(3 * second);
    t.tickAt(3 * second);
    expect(t.stands()).toBe("TryingToStart: attempting to start");
    expect(t.runs()).toEqual(["start ok"]);
    expect(t.tickAt(4 * second).runs()).toEqual(["start ok", "start queued"]);
  });

  test("records the applied rule, by its pointer", () => {
    const t = go(worker);
    t.tickAt(second);
    expect(t.entries.map(lineOf)).toEqual([
      "started",
      "moved - > TryingToStart by start",
      "decided /states/TryingToStart/rules/2: emit start (attempting to start)",
      "run_created 1.0 start".replace("1.0", t.run("start").id),
      `run_dispatched ${t.run("start").id} #1`,
    ]);
  });

  test("ends in a final state as that says, and for its reason", () => {
    const t = go({
      ...worker,
      actions: [action("start", { retryPolicy: { maxAttempts: 4, baseDelay: 0 } }), action("stop")],
    });
    t.tickAt(second);
    for (let attempt = 1; attempt <= 4; attempt += 1) t.tickAt(second + attempt).miss("start");
    t.tickAt(2 * second);
    expect(t.status).toBe("failed");
    expect(t.state.error?.message).toEqual(
      naming("Failed", "failed to start after 3 retries: max retries reached: 503"), // the reason in its definition
    );
    expect(t.wake).toBeGreaterThan(minute);
  });

  test("ends in a final state that gives no reason without one", () => {
    const t = go({ states: { A: { rules: [{ target: "Failed" }] }, Failed: { type: "final", outcome: "failed" } } });
    t.tickAt(second);
    expect([t.status, t.state.error?.message]).toEqual(["failed", naming("Failed")]);
  });
});

describe("a tick", () => {
  const quiet: Written = { states: { A: { rules: [{ when: is("observed.go"), target: "B" }] }, B: { rules: [] } } };

  test("in which nothing changes leaves everything as it is, and is not made again", () => {
    const t = go(quiet);
    const before = t.state;
    t.tickAt(second);
    expect(t.state).toEqual(before);
    expect([t.effects, t.wake]).toEqual([[], null]);
  });

  test("is made for what has changed, however late", () => {
    const t = go(quiet);
    t.tickAt(second).clock(4_200);
    expect(t.observe({ go: 0 }).wake).toBe(5 * second);
    t.clock(4_900);
    expect(t.observe({ go: 1 }).wake).toBe(5 * second);
    t.tickAt(9_400);
    expect(t.at).toBe("B");
    expect(t.wake).toBe(10 * second);
  });

  test("that is late uses the data of its due instant, and is delayed by nothing", () => {
    const t = go(quiet);
    t.clock(500);
    t.observe({ go: 1 });
    t.clock(1_300);
    t.observe({ go: 0 });
    expect([t.at, t.wake]).toEqual(["B", 2 * second]);
  });

  test("never comes between two instants of the grid", () => {
    const t = go(quiet);
    t.tickAt(second).clock(4_200);
    t.observe({ go: 1 });
    expect([t.at, t.wake]).toEqual(["A", 5 * second]);
    expect(t.tickAt(5 * second).at).toBe("B");
  });

  test.each([
    ["a patch", ask.patch({ a: 1 })],
    ["desire", told.desire({ a: 1 })],
  ])("follows %s, too", (_what, command) => {
    const t = go(quiet);
    t.tickAt(second).clock(1_500);
    expect(t.take(command).wake).toBe(2 * second);
  });

  test("waits while it is paused, and comes when it goes on", () => {
    const t = go(quiet);
    t.pause().clock(500);
    t.observe({ go: 1 });
    expect(t.tickAt(5 * second).at).toBe("A");
    expect(t.wake).toBeNull();
    expect(t.resume().at).toBe("B");
  });

  test("waits while its tenant is suspended", () => {
    const t = go(quiet);
    t.clock(500);
    t.observe({ go: 1 });
    t.suspend().tickAt(5 * second);
    expect(t.at).toBe("A");
    t.observe({ go: 2 });
    expect(t.wake).toBe(6 * second);
    expect(t.suspend(false).tickAt(6 * second).at).toBe("B");
  });
});

describe("a rule", () => {
  test("without a condition always holds", () => {
    const t = go({ states: { A: { rules: [{ target: "B" }] }, B: { type: "final" } } });
    expect(t.tickAt(second).status).toBe("completed");
  });

  test("with the current state as target changes the reason at most, and nothing repeatedly", () => {
    const rules = [{ when: is("observed.n"), target: "A", reason: "saw {{ observed.n }}" }, { target: "A" }];
    const t = go({ states: { A: { reason: "none yet", rules } } });
    t.tickAt(second);
    expect([t.stands(), t.wake]).toEqual(["A: none yet", null]);
    t.observe({ n: 7 });
    t.tickAt(2 * second);
    expect([t.stands(), t.wake, t.position().since]).toEqual(["A: saw 7", null, T0]);
    expect(t.entries.filter(({ kind }) => kind === "decided")).toEqual([]);
  });

  test("gives its reason, or its state's; a value that is no text is written as JSON", () => {
    const rules = [
      { when: is("observed.b"), target: "B", reason: "because {{ observed.b }}" },
      { when: is("observed.c"), target: "C" },
    ];
    const states = { A: { rules }, B: { reason: "never shown", rules }, C: { reason: "{{ observed.c }}" } };
    const t = go({ states });
    t.observe({ b: "so" });
    t.tickAt(second);
    expect(t.stands()).toBe("B: because so");
    t.observe({ c: { n: 1 } });
    t.tickAt(2 * second);
    expect(t.stands()).toBe('C: {"n":1}');
  });

  test("emits for its own reason where it has one", () => {
    const rules = [{ emit: "call", reason: "called" }];
    const t = go({ states: { A: { reason: "here", rules } }, actions: [action("call")] });
    t.tickAt(second);
    expect(t.stands()).toBe("A: called");
  });

  test("reads state, variables and time; a rule that reads the time is evaluated on every tick", () => {
    const late = { ">": [{ date: is("now") }, { "+": [{ date: is("state.since") }, 2_500] }] };
    const t = go({ states: { A: { rules: [{ when: late, target: "B" }] }, B: {} } });
    expect(t.wake).toBe(second);
    expect(t.tickAt(second).wake).toBe(2 * second);
    expect(t.tickAt(2 * second).at).toBe("A");
    expect(t.tickAt(3 * second).at).toBe("B");
    expect(t.tickAt(4 * second).wake).toBeNull();
  });

  test("that reads the time is evaluated after every input", () => {
    const late = { ">": [{ date: is("now") }, T0 + 3_500] };
    const t = go({ states: { A: { rules: [{ when: late, target: "B" }] }, B: {} } });
    t.tickAt(second).pause();
    t.resume();
    expect([t.reconciling().tickAt, t.wake]).toEqual([null, 2 * second]);
    t.tickAt(2 * second).clock(3_900);
    t.observe({ n: 1 });
    expect(t.at).toBe("A");
    expect(t.tickAt(4 * second).at).toBe("B");
  });

  test("beside a rule that reads the time is evaluated on the grid, too", () => {
    const never = { "==": [is("now"), "never"] };
    const t = go({
      states: {
        A: {
          rules: [
            { when: never, target: "C" },
            { when: is("observed.go"), target: "B" },
          ],
        },
        B: {},
        C: {},
      },
    });
    t.tickAt(second).clock(1_300);
    t.observe({ go: 1 });
    expect(t.at).toBe("A");
    expect(t.tickAt(2 * second).at).toBe("B");
  });

  test("records short values only", () => {
    const paths = Array.from({ length: 20 }, (_, n) => is(`observed.n${n}`));
    const t = go({ states: { A: { rules: [{ when: { or: paths }, target: "B" }] }, B: {} } });
    t.observe(Object.fromEntries(paths.map((_, n) => [`n${n}`, "x".repeat(400)])));
    t.tickAt(second);
    expect(t.entries.find(({ kind }) => kind === "decided")).not.toHaveProperty("values");
  });

  test("sees the instant of the grid, and no other", () => {
    const rules = [{ when: { "==": [is("now"), new Date(T0 + 2 * second).toISOString()] }, target: "B" }];
    const t = go({ states: { A: { rules }, B: {} } });
    expect(t.tickAt(2_900).at).toBe("B");
  });
});

describe("a signal", () => {
  test("remove completes it", () => {
    const t = go({ states: { A: { rules: [{ signal: "remove", reason: "gone" }] } } });
    t.tickAt(second);
    expect([t.status, t.stands()]).toEqual(["completed", "A: gone"]);
  });

  test("restart begins anew in the initial state, and how actions went before counts no more", () => {
    const restart = { when: is("action.failed"), signal: "restart" };
    const t = go({
      states: {
        A: { reason: "first", rules: [restart, { when: is("observed.b"), target: "B" }] },
        B: { rules: [restart, { emit: "call" }] },
      },
      actions: [action("call")],
    });
    t.observe({ b: true });
    t.tickAt(second).tickAt(2 * second);
    t.miss("call", { retryable: false });
    t.observe({ b: false });
    t.tickAt(3 * second);
    expect([t.stands(), t.position().restarts]).toEqual(["A: first", 1]);
    expect(t.action()).toMatchObject({ actionName: "", failed: false });
    expect(t.tickAt(4 * second).wake).toBeGreaterThan(minute);
    t.observe({ b: true });
    t.tickAt(5 * second).tickAt(6 * second);
    t.miss("call", { retryable: false }).tickAt(7 * second);
    expect(t.position().restarts).toBe(2);
  });
});
