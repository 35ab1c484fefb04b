// The explanation offers cancel-action only where the execution accepts it.
import { expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import type { Explanation } from "#schema/engine/explanation.ts";
import { action, drive, T0, type Drive } from "#test/support/drive.ts";

function of(t: Drive, more: Partial<Parameters<typeof explain>[0]> = {}): Explanation {
  const { program, state, entries: recent } = t;
  return explain({ program, state, now: T0, suspended: false, recent, quarantined: null, ...more });
}

const sending = (on: Record<string, string>) =>
  drive({ states: { a: { on }, b: { on: { x: "a" } } }, actions: [action("mail", { triggerState: "a" })] }).start();
const canCancel = (on: Record<string, string>, claimed = true) => {
  const t = sending(on);
  const [wait] = of(claimed ? t.claim("mail") : t).waits;
  return wait?.for === "run" ? (wait.canCancel ?? false) : null;
};

test("a run in flight can be canceled", () => {
  expect(canCancel({ "action.mail.ok": "b", "action.mail.skipped": "b" })).toBe(true);
});

test("a run in flight cannot be canceled if the execution would then be stuck", () => {
  expect(canCancel({ "action.mail.ok": "b" })).toBe(false);
});

test("a run that waits has other requests", () => {
  expect(canCancel({ "action.mail.skipped": "b" }, false)).toBe(false);
});

test("a quarantined execution offers no cancel-action", () => {
  const t = sending({ "action.mail.skipped": "b" }).claim("mail");
  const quarantined = { kind: "broken", reason: "x", since: 0, lookAt: 1, looks: 1 } as const;
  expect(of(t, { quarantined }).waits.filter((wait) => wait.for === "run" && wait.canCancel)).toEqual([]);
});
