// An unknown input of newer code is refused, whatever the state.
import { expect, test } from "vitest";
import { refuseUnknown } from "#kernel/known-inputs.ts";
import type { Command } from "#schema/engine/input.ts";
import { ask, drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = { a: { on: { go: "b" } }, b: { type: "final" as const } };
const newer = { ...ask.pause(), kind: "hibernate" } as unknown as Command; // as it arrives over RPC

test("a kind that this version does not know is not answered as done", () => {
  expect(drive({ states }).start().refused(newer)).toMatchObject({
    code: "unavailable",
    message: naming('"hibernate"'),
  });
});

test("nor where the execution has ended, or never was", () => {
  expect(drive({ states }).start().event("go").refused(newer).code).toBe("unavailable");
  expect(drive({ states }).refused(newer).code).toBe("unavailable");
});

test("what an object has by nature is no kind", () => {
  expect(refuseUnknown({ kind: "constructor" })?.refusal.code).toBe("unavailable");
  expect(refuseUnknown({ kind: "tick" })).toBeNull();
});
