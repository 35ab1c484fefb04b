import { describe, expect, it } from "vitest";
import { callWithRetry } from "#services/cells/call-cell.ts";

/** What the runtime was seen to throw: its own exceptions have flags, or hide what it was; the object's own are `remote`. */
const thrown = (message: string, flags: object = {}): Error => Object.assign(new Error(message), flags);

const hidden = () => thrown("internal error; reference = 3smvcq4o2vohqb1r183fn1hi");
const overloaded = () => thrown("Too many requests", { overloaded: true });
const moving = () => thrown("Network connection lost.", { retryable: true });
const reset = () => thrown("Durable Object exceeded its memory limit and was reset.", { durableObjectReset: true });

/** Throws these one after the other, then answers. */
function objectThatThrows(...faults: readonly Error[]) {
  const left = [...faults];
  let calls = 0;
  const call = async (): Promise<string> => {
    calls += 1;
    const fault = left.shift();
    if (fault) throw fault;
    return "answered";
  };
  return { call, calls: () => calls };
}

describe("a call that fails because of the platform", () => {
  it("is repeated once if the object was moved, reset or the call was broken off", async () => {
    for (const fault of [moving(), hidden(), reset()]) {
      const { call, calls } = objectThatThrows(fault);
      expect(await callWithRetry(call)).toEqual({ ok: true, value: "answered" });
      expect(calls()).toBe(2);
    }
  });

  it("is refused as unavailable if it fails again", async () => {
    const whys = [
      [moving(), { why: "moving" }],
      [hidden(), { why: "broken_off", reference: "3smvcq4o2vohqb1r183fn1hi" }],
      [reset(), { why: "reset" }],
    ] as const;
    for (const [fault, details] of whys) {
      const { call, calls } = objectThatThrows(fault, fault);
      expect(await callWithRetry(call, "subject")).toMatchObject({
        ok: false,
        refusal: { code: "unavailable", message: expect.stringContaining("subject"), details },
      });
      expect(calls()).toBe(2);
    }
  });

  it("is not repeated if the object is overloaded", async () => {
    const { call, calls } = objectThatThrows(overloaded());
    expect(await callWithRetry(call)).toMatchObject({
      ok: false,
      refusal: { code: "unavailable", details: { why: "overloaded" } },
    });
    expect(calls()).toBe(1);
  });

  it("reports the last fault", async () => {
    const { call } = objectThatThrows(moving(), overloaded());
    expect(await callWithRetry(call)).toMatchObject({ ok: false, refusal: { details: { why: "overloaded" } } });
  });
});

describe("a bug", () => {
  it("is rethrown unchanged, whatever its name", async () => {
    const mistakes = [
      thrown("Cannot read properties of undefined", { remote: true }),
      thrown("internal error; reference = abc", { remote: true }),
      thrown("the constructor tripped", { durableObjectReset: true }),
      thrown("Could not serialize object"),
      thrown("an internal error of ours"),
    ];
    for (const mistake of mistakes) {
      const { call, calls } = objectThatThrows(mistake);
      await expect(callWithRetry(call)).rejects.toBe(mistake);
      expect(calls()).toBe(1);
    }
  });

  it("is rethrown even after a passing fault", async () => {
    const mistake = thrown("no such table", { remote: true });
    await expect(callWithRetry(objectThatThrows(moving(), mistake).call)).rejects.toBe(mistake);
  });

  it("is rethrown even if it is not an Error", async () => {
    for (const strange of [null, undefined, "internal error; reference = abc", 7]) {
      const call = async (): Promise<never> => {
        throw strange;
      };
      await expect(callWithRetry(call)).rejects.toBe(strange);
    }
  });
});
