// The retry delays of a journey's action types.
import { expect, test } from "vitest";
import { resolveRetry, retryDelayMs } from "#kernel/execution/retries/retry.ts";
import { action, drive, minute, T0 } from "#test/support/drive.ts";

test("should apply exponential backoff for retries: 1, 2 and 4 minutes for e-mail", () => {
  const mail = action("mail", { triggerState: "a", type: "email", retryPolicy: "email" });
  const t = drive({ states: { a: { on: { x: "a" } } }, actions: [mail] }).start();
  const waits = [1, 2, 4].map((wait) => {
    const { updatedAt } = t.miss("mail").state;
    const dueAt = Number(t.run("mail").dueAt);
    t.tickAt(dueAt - T0);
    return [wait * minute, dueAt - updatedAt];
  });
  for (const [wanted, waited] of waits) expect(waited).toBe(wanted);
  expect(t.miss("mail").run("mail")).toMatchObject({ deadLetter: true, attempt: 4 });
});

test.each([
  ["email", [60_000, 120_000, 240_000]],
  ["sms", [30_000, 45_000, 67_500, 101_250, 151_875]],
  ["task", [300_000]],
  ["delay", []],
] as const)("%s waits as its strategy says", (preset, waits) => {
  const policy = resolveRetry(preset, "default");
  expect(policy.maxAttempts - 1).toBe(waits.length);
  expect(waits.map((_, n) => retryDelayMs(policy, n + 1, 0.5))).toEqual(waits);
});
