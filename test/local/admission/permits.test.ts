import { describe, expect, it } from "vitest";
import { openGate, OPENING_MAX, WAIT_MS_MAX } from "../../../scripts/local/admission/permits.ts";

/**
 * Builds a gate whose clock advances when a call waits. `answers` are the host's answers in turn; the last one is
 * repeated.
 */
function gateWith(...answers: readonly (number | Error)[]) {
  let now = 1_000;
  const asked: number[] = [];
  const left = [...answers];
  const gate = openGate({
    now: () => now,
    wait: async (ms) => void (now += ms),
    chance: () => 0.5,
    requestPermits: async (pending) => {
      asked.push(pending);
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { gate, asked, now: () => now, pass: (ms: number) => void (now += ms) };
}

describe("the admission gate", () => {
  it("grants as many passes as the host has permits, and fetches more before all are used", async () => {
    const { gate, asked } = gateWith(100, 50, 0);
    for (let n = 0; n < 100; n++) {
      const pass = await gate(`cell-${n}`);
      if (typeof pass !== "function") throw new Error(`${n} had no pass: ${pass}`);
      pass();
    }
    // The first request comes because there are no permits, the second because few are left. Other calls wait for these
    // answers.
    expect(asked[0]).toBe(0);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked[1]).toBeLessThan(65);
  });

  it("needs no permit for a recently called object, and one for an evicted object", async () => {
    const { gate, asked, pass } = gateWith(1, 0, 0, 1);
    expect(await gate("cell")).toBeTypeOf("function");
    const before = asked.length;
    for (let n = 0; n < 10; n++) {
      pass(3_000);
      expect(gate("cell")).toBeNull();
    }
    expect(asked).toHaveLength(before);
    pass(20_000);
    expect(gate("cell")).not.toBeNull();
  });

  it("refuses a call that has waited for the time limit", async () => {
    const { gate, now } = gateWith(0);
    expect(await gate("cell")).toBe("refused");
    expect(now()).toBeGreaterThanOrEqual(1_000 + WAIT_MS_MAX);
    expect(now()).toBeLessThan(1_000 + 2 * WAIT_MS_MAX);
  });

  it("passes a waiting call once there is a permit", async () => {
    const { gate, now } = gateWith(0, 0, 0, 1);
    expect(await gate("cell")).toBeTypeOf("function");
    expect(now()).toBeLessThan(1_000 + WAIT_MS_MAX);
  });

  it("limits the objects that open at once; an opened object admits the next call", async () => {
    const { gate } = gateWith(10 * OPENING_MAX);
    const passes = [];
    for (let n = 0; n < OPENING_MAX; n++) passes.push(await gate(`cell-${n}`));
    expect(await gate("one-more")).toBe("refused");
    for (const pass of passes.slice(0, 1)) if (typeof pass === "function") pass();
    expect(await gate("one-more")).toBeTypeOf("function");
  });

  it("releases the slot of a canceled call after a time limit", async () => {
    const { gate, pass } = gateWith(10 * OPENING_MAX);
    for (let n = 0; n < OPENING_MAX; n++) await gate(`cell-${n}`);
    pass(61_000);
    expect(await gate("one-more")).toBeTypeOf("function");
  });

  it("grants nothing while the host cannot answer", async () => {
    expect(await gateWith(new Error("no host")).gate("cell")).toBe("refused");
    expect(await gateWith(new Error("no host"), 1).gate("cell")).toBeTypeOf("function");
  });

  it("uses only the latest of two concurrent answers of the host", async () => {
    let now = 1_000;
    const answers: ((more: number) => void)[] = [];
    const ask = async (): Promise<number> =>
      answers.length < 2 ? new Promise<number>((resolve) => answers.push(resolve)) : 0;
    const wait = async (ms: number) => void (now += ms);
    const gate = openGate({ now: () => now, wait, chance: () => 0.5, requestPermits: ask });
    const first = gate("a");
    now += 11_000;
    const second = gate("b");
    for (const answer of answers) answer(1);
    expect((await Promise.all([first, second])).filter((word) => word === "refused")).toHaveLength(1);
  });
});
