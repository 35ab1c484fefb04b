// The nodes of a journey that was canceled or has failed: none is waiting.
import { describe, expect, test } from "vitest";
import { day, failure, success } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const final = { retryable: false };
const nodes = {
  a: act("next"),
  b: act("next"),
  pause: { type: "delay", for: "P1D", next: "next" },
  asked: { type: "wait", for: [{ event: "yes" }] },
  task: { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] } },
  listed: { type: "each", times: 2, node: { type: "webhook", config: {} } },
  next: act(),
};
const initial = ["a", "b", "pause", "asked", "task", "listed"];
const closed = "skipped execution_canceled";

describe("a canceled journey", () => {
  const canceled = () => {
    const t = go({ initial, nodes });
    t.start().claim("a").claim("b").cancel();
    return t;
  };

  test("has skipped the nodes in progress", () => {
    const t = canceled();
    expect([t.status, t.at]).toEqual(["canceled", ""]);
    expect(t.marks()).toEqual({ a: closed, b: closed, pause: closed, asked: closed, task: closed, listed: closed });
    expect(t.position().counts).toEqual({ done: 0, skipped: 6, failed: 0, of: 7 });
  });

  test("records the success of a call in flight, and starts nothing after it", () => {
    const t = canceled();
    t.settle("a", success()).settle("b", failure(final));
    expect(t.marks()).toMatchObject({ a: "done", b: closed });
    expect(t.marks()).not.toHaveProperty("next");
    expect(t.position().counts).toEqual({ done: 1, skipped: 5, failed: 0, of: 7 });
  });

  test("keeps a failed node as failed", () => {
    const t = go({ initial: ["a", "b"], nodes: { a: act(), b: act() } });
    t.start().miss("a", final).cancel();
    expect(t.marks()).toEqual({ a: "failed", b: closed });
  });
});

test("a journey whose dead letter was not decided in time has no waiting node", () => {
  const t = go({ initial: ["a", "pause"], nodes: { a: act(), pause: { type: "wait", for: [{ event: "yes" }] } } });
  t.start()
    .miss("a", final)
    .tickAt(40 * day);
  expect(t.status).toBe("failed");
  expect(Object.values(t.marks()).filter((mark) => mark === "waiting")).toEqual([]);
});
