// Executions that start others, for flows: who starts whom is in their definitions, what becomes of them in the tests.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { unpackBody, type PackedBody } from "#objects/execution/stored/packing.ts";
import { evict } from "../lives/evict.ts";
import { until, type Engine } from "../engine.ts";

export const parent = (config: object = {}, more: object = {}) => ({
  kind: "machine",
  name: "parent",
  initial: "starting",
  states: {
    starting: { on: { "action.begin.ok": "waiting", "action.begin.failed": "refused", give_up: "refused" } },
    waiting: {
      on: { child_completed: "done", child_failed: "refused", child_canceled: "refused", give_up: "refused" },
    },
    done: { type: "final" },
    refused: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "begin",
      type: "start_execution",
      triggerState: "starting",
      config: { definition: "child", wait: true, ...config },
    },
  ],
  ...more,
});

export const child = (more: object = {}) => ({
  kind: "machine",
  name: "child",
  initial: "working",
  states: { working: { on: { finish: "done" } }, done: { type: "final" } },
  ...more,
});

export async function childOf(here: Engine, execution: string): Promise<string> {
  return until("the child has begun", async () => (await here.runs(execution))[0]?.result?.execution ?? null);
}

export async function noted(here: Engine, execution: string, kind: string) {
  return until(`${execution} has noted ${kind}`, async () => {
    return (await here.journal(execution)).find((entry) => entry.kind === kind) ?? null;
  });
}

/** As if so much time had passed for this execution: what it was sent when is moved back, and it is woken afresh. */
export async function later({ stub }: Engine, execution: string, ms: number): Promise<void> {
  await runInDurableObject(stub(execution), (_object, { storage }) => {
    const [row] = storage.sql
      .exec<{ body: PackedBody }>("SELECT body FROM rows WHERE execution = ? AND page = 0", execution)
      .toArray();
    const head = JSON.parse(unpackBody(row?.body ?? "{}"));
    for (const message of head.state.outbox) message.sentAt -= ms;
    const moved = "UPDATE rows SET body = ?, wake_at = ? WHERE execution = ? AND page = 0";
    storage.sql.exec(moved, JSON.stringify(head), Date.now() - 1, execution);
  });
  await evict(stub(execution));
  await runDurableObjectAlarm(stub(execution));
}
