import { expect, it } from "vitest";
import { consumeDeadActions } from "#queue/actions-dead.ts";
import type { ClaimItem, Acknowledgment } from "#schema/engine/cell.ts";
import { refuse } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";

const executions = ["exe_1_p1", "exe_2_p1", "exe_3_p1"];

async function consume(undeliverable: (items: readonly ClaimItem[]) => Acknowledgment) {
  const seen = { acknowledged: [] as string[], retried: [] as string[] };
  const messages = executions.map((execution) => ({
    id: execution,
    body: { v: 1, kind: "action", tenant: "acme", execution, run: "1.0", attempt: 1, priority: 0 },
    attempts: 1,
    ack: () => seen.acknowledged.push(execution),
    retry: () => seen.retried.push(execution),
  }));
  const cell = { undeliverable: async (items: readonly ClaimItem[]) => undeliverable(items) };
  const deps = { cell: () => cell, log: () => {} } as unknown as Deps; // all that is asked for here
  await consumeDeadActions({ queue: "q", messages } as unknown as MessageBatch, deps);
  return seen;
}

it("one that its cell broke over comes again; the others have been told of", async () => {
  const broken = refuse({ code: "internal_error", message: "a mistake of ours" });
  const seen = await consume(([item]) => [item?.execution === executions[1] ? broken : { ok: true, value: null }]);
  expect(seen).toEqual({ acknowledged: [executions[0], executions[2]], retried: [executions[1]] });
});

it("one that has moved on, and an object of an older version that says nothing, are done with", async () => {
  const stale = refuse({ code: "run_stale", message: "it has moved on" });
  expect(await consume(() => [stale])).toEqual({ acknowledged: executions, retried: [] });
  expect(await consume(() => {})).toEqual({ acknowledged: executions, retried: [] });
});
