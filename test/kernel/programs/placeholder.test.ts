// The placeholder of an execution that cannot be stepped.
import { expect, test } from "vitest";
import { placeholderState, placeholderProgram } from "#kernel/programs/placeholder.ts";
import { brokenInvariants } from "#kernel/invariants/invariants.ts";
import { step } from "#kernel/execution/step.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { ask, day, T0 } from "#test/support/drive.ts";

const identity = {
  tenant: "acme",
  namespace: "shop",
  definition: { id: "def_1", name: "order", version: 3 },
  placement: "pooled" as const,
  correlationId: "o-17",
  seq: 12,
  createdAt: T0 - day,
};
const why = { reason: "it is of version 99", since: T0 };

function canceled(state: ExecutionState) {
  const result = step(placeholderProgram(), state, { ...ask.cancel("give up"), now: T0 + 1, room: 0 });
  if (!result.ok) throw new Error(result.refusal.message);
  return result;
}

test("has the identity of the old one, and is canceled like any other", () => {
  const { state, entries, effects } = canceled(placeholderState("exe_1", identity, why));
  expect(state).toMatchObject({
    id: "exe_1",
    tenant: "acme",
    namespace: "shop",
    correlationId: "o-17",
    definition: { name: "order" },
    status: "canceled",
    reason: "give up",
    seq: 13,
    createdAt: T0 - day,
    finishedAt: T0 + 1,
    standsIn: why,
  });
  expect(entries).toMatchObject([{ kind: "canceled", seq: 13, n: 0 }]);
  expect(effects).toEqual([{ kind: "project" }]);
  const before = placeholderState("exe_1", identity, why);
  const input = { ...ask.cancel("give up"), now: T0 + 1, room: 0 };
  expect(brokenInvariants({ program: placeholderProgram(), before, input, state, effects, entries })).toEqual([]);
});

test("goes when its retention is over", () => {
  const { state } = canceled(placeholderState("exe_1", identity, why));
  const later = step(placeholderProgram(), state, { kind: "tick", now: Number(state.retainUntil), room: 0 });
  expect(later).toMatchObject({ ok: true, effects: expect.arrayContaining([{ kind: "purge" }]) });
});

test("notifies the parent that waits for the old execution's end", () => {
  const parent = { execution: "exe_parent", run: "1.0", action: "begin", incarnation: 0 };
  const { effects } = canceled(placeholderState("exe_1", { ...identity, parent }, why));
  expect(effects).toContainEqual({ kind: "send", messages: [{ kind: "child_ended", key: "exe_parent" }] });
});
