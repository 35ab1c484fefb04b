// The names that validation knows are exactly those that an execution has.
import { expect, test } from "vitest";
import { isReadable, readableRoots } from "#kernel/verify/readable-names.ts";
import { action, drive } from "#test/support/drive.ts";

test("what rules see is what validation knows of", () => {
  const all = { assign: { all: { var: "" } } };
  const it = drive({
    states: { a: { on: { "action.call.ok": "b" } }, b: { on: { go: { target: "c", ...all } } }, c: { type: "final" } },
    actions: [action("call", { triggerState: "a" })],
  });
  it.start({ known: 1 });
  it.ok("call");
  it.event("go", { n: 1 });
  const scope = it.state.variables["all"] as { [root: string]: unknown };
  expect(Object.keys(scope).toSorted()).toEqual([...readableRoots].toSorted());
  for (const [root, value] of Object.entries(scope)) {
    expect(isReadable([root])).toBe(true);
    const fields = typeof value === "object" && value !== null ? Object.keys(value) : [];
    for (const field of fields) expect([root, field, isReadable([root, field])]).toEqual([root, field, true]);
    expect(fields.length > 0 && isReadable([root, "nobody"])).toBe(false);
  }
  expect(isReadable(["nobody"])).toBe(false);
});
