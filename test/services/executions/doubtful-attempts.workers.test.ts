// possiblyRepeated in the API: set only if the provider cannot recognize a repeat.
import { expect, test } from "vitest";
import type { Run } from "#schema/engine/run.ts";
import { accept } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { listRuns } from "#services/executions/executions.ts";
import { absentCell, callerOf, newTenant, NOW, world } from "#test/support/catalog.ts";

const HOUR = 60 * 60_000;
const plain = { lane: "queue", endedAt: null, error: null, nextAttemptAt: null } as const;
const run = {
  id: "1.0",
  type: "email",
  config: { to: "ada" },
  createdAt: NOW - 100 * HOUR,
  firstDueAt: NOW,
  attempts: [
    { ...plain, attempt: 1, startedAt: NOW + HOUR, possiblyRepeated: true },
    { ...plain, attempt: 2, startedAt: NOW + 2 * HOUR, possiblyRepeated: false },
    { ...plain, attempt: 3, startedAt: NOW + 24 * HOUR, possiblyRepeated: true },
  ],
} as unknown as Run; // what listRuns looks at

test.each<[IdempotencySupport, boolean[]]>([
  [{ mode: "none" }, [true, false, true]],
  [{ mode: "harmless" }, [false, false, false]],
  [{ mode: "provider", windowMs: null }, [false, false, false]],
  [{ mode: "provider", windowMs: 24 * HOUR }, [false, false, true]],
])("%j: %j", async (repeats, doubts) => {
  const asked: unknown[] = [];
  const deps = world({
    repeatsOf: (...of) => {
      asked.push(of);
      return repeats;
    },
    cell: () => ({ ...absentCell, read: async () => accept({ runs: [run] } as unknown as ExecutionState) }),
  });
  const input = { execution: "exe_1", status: null, cursor: null, limit: 10 };
  const page = await listRuns(deps, callerOf(newTenant()), input);
  const shown = page.ok ? page.value.runs.flatMap(({ attempts }) => attempts) : [];
  expect(shown.map(({ possiblyRepeated }) => possiblyRepeated)).toEqual(doubts);
  expect(asked).toEqual([["email", { to: "ada" }]]);
});
