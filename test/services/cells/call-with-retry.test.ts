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

describe("a call that did not get through", () => {
  it("is made once more where the object was moved, reset, or broke off", async () => {
    for (const fault of [moving(), hidden(), reset()]) {
      const { call, calls } = objectThatThrows(fault);
      expect(await callWithRetry(call)).toEqual({ ok: true, value: "answered" });
      expect(calls()).toBe(2);
    }
  });

  it("is refused as unavailable if it does so again: the same request may be sent again", async () => {
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

  it("is left alone where the object is overloaded", async () => {
    const { call, calls } = objectThatThrows(overloaded());
    expect(await callWithRetry(call)).toMatchObject({
      ok: false,
      refusal: { code: "unavailable", details: { why: "overloaded" } },
    });
    expect(calls()).toBe(1);
  });

  it("tells of what it met last", async () => {
    const { call } = objectThatThrows(moving(), overloaded());
    expect(await callWithRetry(call)).toMatchObject({ ok: false, refusal: { details: { why: "overloaded" } } });
  });
});

describe("a mistake of ours", () => {
  it("goes on as the exception it is, whatever it is called", async () => {
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

  it("goes on also where the object has been moved before", async () => {
    const mistake = thrown("no such table", { remote: true });
    await expect(callWithRetry(objectThatThrows(moving(), mistake).call)).rejects.toBe(mistake);
  });

  it("goes on if it is no error at all", async () => {
    for (const strange of [null, undefined, "internal error; reference = abc", 7]) {
      const call = async (): Promise<never> => {
        throw strange;
      };
      await expect(callWithRetry(call)).rejects.toBe(strange);
    }
  });
});
