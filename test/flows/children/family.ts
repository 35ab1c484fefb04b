// Executions that start others, for flows: who starts whom is in their definitions, what becomes of them in the tests.
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
