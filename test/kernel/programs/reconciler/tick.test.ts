// When rules are looked at, and which is taken.
import { describe, expect, test } from "vitest";
import { second } from "#test/support/drive.ts";
import { go } from "./go.ts";
import { worker } from "./worker.ts";

const down = { running: false, configValid: true };
const up = { running: true, configValid: true };

describe("a reconciler", () => {
  test("begins in its initial state, for its reason, and looks at the next instant of its grid", () => {
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
});
