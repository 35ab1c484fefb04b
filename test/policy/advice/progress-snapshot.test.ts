// Tests the progress snapshot: status, scheduled nodes, holds and progress.
import { describe, expect, test } from "vitest";
import { nodesOf, statesLeft } from "#policy/advice/nodes.ts";
import {
  heldByPause,
  progressOf,
  nodesInProgress,
  progressSnapshot,
  snapshotStatus,
  type Nodes,
} from "#policy/advice/progress-snapshot.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { executionStatuses, type ExecutionState, type JourneyPosition } from "#schema/engine/state.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { LAST_ERROR_CHARS_MAX } from "#schema/limits/run-attempts.ts";
import { action, drive, failure, hour, minute, success, T0 } from "#test/support/drive.ts";

const nodes = (over: Partial<Nodes> = {}): Nodes => {
  const all = { open: [], done: [], skipped: [], failed: [], total: 4, ...over };
  return { ...all, completed: all.done.length + all.skipped.length + all.failed.length };
};
const moment = { now: T0, timezone: "Europe/Zurich" };
const standing = (state: ExecutionState, over: Partial<Nodes> = {}, now = T0) =>
  progressSnapshot(state, nodes({ open: state.position.states, ...over }), { ...moment, now });

describe("the snapshot status", () => {
  test.each([
    ["active", "active"],
    ["waiting", "waiting"],
    ["paused", "paused"],
    ["completed", "completed"],
    ["failed", "failed"],
    ["canceled", "failed"],
  ] as const)("of %s is %s", (status, word) => expect(snapshotStatus(status)).toBe(word));
});

describe("the progress", () => {
  test.each([
    ["nothing yet", "active", nodes(), 0],
    ["rounded down", "active", nodes({ done: ["a"], skipped: ["b"], total: 3 }), 66],
    ["failed nodes count", "waiting", nodes({ done: ["a"], failed: ["b"], total: 4 }), 50],
    [
      "all nodes have ended, and the status is not completed",
      "waiting",
      nodes({ done: ["a"], failed: ["b"], total: 2 }),
      99,
    ],
    ["completed", "completed", nodes({ done: ["a"], total: 3 }), 100],
    ["canceled", "canceled", nodes({ done: ["a"], total: 3 }), 33],
    ["no nodes", "active", nodes({ total: 0 }), 0],
  ] as const)("%s", (_what, status, of, percentage) =>
    expect(progressOf(status, of)).toMatchObject({ percentage, total: of.total }),
  );
  test("is 100 % only for a completed execution", () => {
    for (const status of executionStatuses) {
      const whole = progressOf(status, nodes({ done: ["a"], total: 1 })).percentage === 100;
      expect(whole, status).toBe(status === "completed");
    }
  });
});

const waits = { a: { on: { x: "a" }, after: { PT2H: "b" } }, b: { on: { x: "a" } } };
const mail = (part: object = {}) => action("mail", { triggerState: "a", ...part });

describe("scheduled nodes", () => {
  test("have local times and are ordered by due time; nodes with a missing variable come last", () => {
    const anchored = action("sms", { triggerState: "a", delay: { anchor: { var: "execution.variables.date" } } });
    const t = drive({ states: waits, actions: [anchored, mail({ delay: "PT1H" })] }).start();
    const told = standing(t.state);
    expect(told.scheduled).toEqual([
      {
        node: "a",
        at: T0 + hour,
        action: "mail",
        type: "webhook",
        held: null,
        run: t.run("mail").id,
        localTime: expect.stringMatching(/\+0[12]:00$/),
      },
      expect.objectContaining({ node: "a", at: T0 + 2 * hour, action: null, type: null, run: null, held: null }),
      expect.objectContaining({ node: "a", at: null, localTime: null, action: "sms", held: "variable" }),
    ]);
    expect(told).toMatchObject({ nextAt: T0 + hour, currentNode: "a", status: "waiting" });
  });

  test("held by an operator have no instant", () => {
    const t = drive({ states: waits, actions: [mail({ delay: "PT1H" })] })
      .start()
      .verb({ kind: "hold", run: "1.0" });
    expect(standing(t.state).scheduled.at(-1)).toMatchObject({ action: "mail", at: null, held: "by_operator" });
  });

  test("are held by a pause, and there is no next instant", () => {
    const t = drive({ states: waits, actions: [mail({ delay: "PT1H" })] }).start();
    const told = standing(t.pause().state);
    expect(told.scheduled.map(({ held }) => held)).toEqual(["paused", "paused"]);
    expect(told).toMatchObject({ status: "paused", nextAt: null });
  });

  test("include timers that depend on a variable", () => {
    const delays = { later: { anchor: { var: "execution.variables.date" } } };
    const states = { a: { on: { x: "a" }, after: { later: "b" } }, b: { on: { x: "a" } } };
    const [timer] = standing(drive({ states, delays } as never).start().state).scheduled;
    expect(timer).toMatchObject({ at: null, held: "variable", node: "a" });
  });

  test("name the hold: a slot, or the connection until the hold ends", () => {
    const t = drive({ states: waits, actions: [mail(), action("sms", { triggerState: "a" })] }).start();
    expect(standing(t.state).scheduled.map(({ action: id, held }) => [id, held])).toEqual([
      ["mail", null],
      ["sms", "slot"],
      [null, null],
    ]);
    const held = { reason: "rate_limited", until: T0 + minute, connection: "mail" } as const;
    t.claim("mail").settle("mail", { ...failure(), held } as ReturnType<typeof failure>);
    const of = (now: number) => standing(t.state, {}, now).scheduled.find((each) => each.action === "mail")?.held;
    expect([of(T0), of(T0 + minute)]).toEqual(["rate_limited", "slot"]);
  });

  test("leave out a running attempt, which is the current node", () => {
    const t = drive({ states: waits, actions: [mail()] })
      .start()
      .claim("mail");
    expect(standing(t.state).scheduled).toHaveLength(1);
    expect(standing(t.state, { open: ["elsewhere"] }).currentNode).toBe("a");
  });

  test("use the action's name for a run without a state", () => {
    const t = drive({ states: waits, actions: [mail({ retryPolicy: { maxAttempts: 1 } })] })
      .start()
      .miss("mail")
      .retry("mail");
    expect(standing(t.state).scheduled[0]).toMatchObject({ node: "mail", action: "mail" });
  });

  test("are empty for an execution without runs and timers", () => {
    const t = drive({ states: { a: { on: { x: "a" } } } }).start();
    expect(standing(t.state, { open: [] })).toMatchObject({ currentNode: null, nextAt: null, scheduled: [] });
  });
});

describe("errors", () => {
  const once = { retryPolicy: { maxAttempts: 1 } };

  test("are counted for permanently failed runs; the newest message is shown", () => {
    const t = drive({ states: waits, actions: [mail(once), action("sms", { triggerState: "a", ...once })] }).start();
    expect(standing(t.state)).toMatchObject({ errorCount: 0, lastError: null });
    t.miss("mail", { message: "first" }).clock(minute).miss("sms", { message: "second" });
    expect(standing(t.state)).toMatchObject({ errorCount: 2, lastError: "second" });
    expect(standing(t.state, { failed: ["x", "y", "z"] }).errorCount).toBe(3);
  });

  test("stay when the run is retried with success, and count each permanent failure", () => {
    const t = drive({ states: waits, actions: [mail(once)] }).start();
    t.miss("mail", { message: "no" }).retry("mail").claim("mail").settle("mail", success());
    expect(standing(t.state)).toMatchObject({ errorCount: 1, lastError: "no" });
    const again = drive({ states: waits, actions: [mail(once)] }).start();
    again
      .miss("mail", { message: "no" })
      .retry("mail")
      .miss("mail", { message: "x".repeat(9_000) })
      .archive("mail");
    expect(standing(again.state).errorCount).toBe(2);
    expect(standing(again.state).lastError).toHaveLength(LAST_ERROR_CHARS_MAX);
  });

  test("count an execution that failed without a failed run", () => {
    const error = { type: "stuck", message: "no way on", retryable: false };
    const { state } = drive({ states: waits }).start();
    expect(standing({ ...state, status: "failed", error })).toMatchObject({ errorCount: 1, lastError: "no way on" });
  });

  test("show the execution's error if the execution failed", () => {
    const t = drive({ states: waits, actions: [mail({ ...once, onExhausted: "pause" })] }).start();
    t.miss("mail", { message: "no" });
    expect(standing(t.state)).toMatchObject({ status: "paused", lastError: t.state.error?.message });
  });

  test("show the cancellation and its reason for a canceled execution", () => {
    const t = drive({ states: waits }).start().cancel();
    expect(standing(t.state)).toMatchObject({ status: "failed", lastError: "canceled" });
    expect(standing({ ...t.state, reason: "snow" }).lastError).toBe("canceled: snow");
  });

  test("are null if no message exists", () => {
    const t = drive({ states: waits, actions: [mail(once)] })
      .start()
      .miss("mail");
    const runs = t.state.runs.map((run) => ({ ...run, error: null }));
    const { errors: _errors, ...older } = t.state; // an execution of an earlier release has no such field
    expect(standing({ ...older, runs })).toMatchObject({ errorCount: 1, lastError: null });
    const [failed] = t.state.runs;
    const two = failed ? [failed, { ...failed, id: "0.0", finishedAt: 0 }] : [];
    expect(standing({ ...older, runs: two })).toMatchObject({ errorCount: 2, lastError: failed?.error?.message });
  });
});

test("a pause would hold reached and scheduled nodes, but not those with a running attempt", () => {
  const t = drive({ states: waits, actions: [mail({ retryPolicy: { maxAttempts: 1 } })] }).start();
  const open = nodes({ open: ["a", "b"] });
  expect(heldByPause(t.state, open)).toBe(2);
  t.claim("mail");
  expect(heldByPause(t.state, open)).toBe(1);
  expect(nodesInProgress(t.state, open.open)).toEqual(["a", "b"]);
});

describe("the nodes of a machine", () => {
  const definition = {
    kind: "machine",
    name: "m",
    initial: "a",
    states: {
      a: { on: { x: "b" } },
      b: { initial: "c", states: { c: {}, h: { type: "history" } } },
      d: { type: "final" },
    },
  } as unknown as Definition; // the function reads only these fields
  const t = drive({ states: waits }).start();
  const at = (states: readonly string[], done = false): ExecutionState => ({
    ...t.state,
    position: { ...t.state.position, states, done },
  });

  test("are the innermost states; states that were left are done", () => {
    expect(nodesOf(at(["b.c"]), definition, ["a"])).toEqual(nodes({ open: ["b.c"], done: ["a"], total: 3 }));
    expect(nodesOf(at(["a"]), definition, ["a", "b.c"])).toEqual(nodes({ open: ["a"], done: ["b.c"], total: 3 }));
    expect(nodesOf(at(["d"], true), definition, ["a"])).toEqual(nodes({ done: ["a", "d"], total: 3 }));
  });

  test("are the known states if the definition is not available", () => {
    expect(nodesOf(at(["b.c"]), null, ["a"])).toEqual(nodes({ open: ["b.c"], done: ["a"], total: 2 }));
  });

  test("of a reconciler are its current state, which is done after the end", () => {
    const here = { kind: "reconciler", state: "Running", states: ["Running"], since: T0, reason: "" } as const;
    const stands = (done: boolean): ExecutionState => ({ ...t.state, position: { ...here, done } });
    expect(nodesOf(stands(false), null, ["TryingToStart"])).toEqual(nodes({ open: ["Running"], total: 1 }));
    expect(nodesOf(stands(true), null, [])).toEqual(nodes({ done: ["Running"], total: 1 }));
  });

  test("that were left come from the journal, each once", () => {
    const moved = (from: string | null, to: string) => ({ kind: "moved", from, to, by: "x", seq: 1, n: 0, at: 0 });
    const entries = [moved(null, "a, c"), moved("a, c", "b, c"), moved("b, c", "a, c"), moved("a, c", "d")];
    const all = [...entries, { kind: "completed", seq: 2, n: 0, at: 0 }] as readonly JournalEntry[];
    expect(statesLeft(all)).toEqual(["a", "b", "c"]);
  });
});

describe("the nodes of a journey", () => {
  const over = { reason: "not_reached", ended: undefined };
  const position = {
    kind: "journey",
    nodes: {
      b: { status: "done", ended: 2 },
      a: { status: "done", ended: 1 },
      c: { status: "skipped", ...over },
      d: { status: "failed" },
      e: { status: "waiting" },
      out: { status: "done", ended: 3 },
    },
    states: ["e"],
    done: false,
    counts: { done: 2, skipped: 1, failed: 1, of: 6 },
  } as unknown as JourneyPosition; // the function reads only these fields
  const at = { ...drive({ states: waits }).start().state, position };

  test("are ordered by their marks; exits are not counted", () => {
    const found = nodesOf(at, null, []);
    expect(found).toMatchObject({ open: ["e"], done: ["a", "b", "out"], skipped: ["c"], failed: ["d"] });
    expect(progressOf("waiting", found)).toEqual({ completed: 4, total: 6, percentage: 66 });
  });

  test("are not open in a finished journey", () => {
    expect(nodesOf({ ...at, position: { ...position, done: true } }, null, []).open).toEqual([]);
  });
});
