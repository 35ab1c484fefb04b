// Tests what a directory does next, and when it wakes.
import { expect, test } from "vitest";
import { planDirectory } from "#policy/directory/plan.ts";
import { acceptEvent } from "#policy/directory/published-event.ts";
import type { PublishedEventStatus } from "#schema/directory/calls.ts";
import { REMOVED_KEYS_KEPT_MS } from "#schema/limits/executions.ts";

const event = { id: "evt_1", type: "paid", key: "o-1", payload: 1, source: "api", correlationId: null } as const;
const posted = { ...event, keepMs: 1_000, actor: { kind: "key", id: "key_1" }, fingerprint: "f" } as const;

function row(status: PublishedEventStatus) {
  const taken = acceptEvent(posted, [], 0, 0);
  if (!taken.ok) throw new Error(taken.refusal.message);
  return { ...taken.value, status };
}

test.each([
  ["going", "deliver"],
  ["kept", "pass_over"],
  ["delivered", "pass_over"],
  ["undeliverable", "pass_over"],
] as const)("a due event with the status %s leads to %s", (status, kind) => {
  const due = row(status);
  expect(planDirectory(due, 0, 0)).toEqual({ kind, row: due });
});

test("an ended event whose result is not reported yet leads to a report", () => {
  const due = { ...row("undeliverable"), isReportDue: true } as const;
  expect(planDirectory(due, 0, 0)).toEqual({ kind: "report", row: due });
});

test.each([
  ["no event is stored", null, null, null],
  ["an event is due later", 70, null, 70],
  ["an execution has left the directory", null, 5, 5 + REMOVED_KEYS_KEPT_MS + 1],
  ["both", 70, 5, 70],
])("the directory sleeps if %s", (_case, nextDueAt, oldestLeftAt, at) => {
  expect(planDirectory(null, nextDueAt, oldestLeftAt)).toEqual({ kind: "rest", at });
});
