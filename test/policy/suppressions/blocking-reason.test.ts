// Blocking reasons: the strongest reason blocks, and an action may ignore only the receiver's and the operator's wishes.
import { expect, it } from "vitest";
import { blockingReason } from "#policy/suppressions/blocking-reason.ts";

const source = { at: 1 };

it.each([
  [{}, null, null],
  [{ manual: source }, "manual", null],
  [{ unsubscribe: source, manual: source }, "unsubscribe", null],
  [{ unsubscribe: source, gone: source }, "gone", "gone"],
  [{ manual: source, hard_bounce: source }, "hard_bounce", "hard_bounce"],
  [{ hard_bounce: source, complaint: source }, "complaint", "complaint"],
] as const)("%j blocks with %s, and without heeding with %s", (reasons, heeding, ignoring) => {
  expect(blockingReason(reasons, true)).toBe(heeding);
  expect(blockingReason(reasons, false)).toBe(ignoring);
});
