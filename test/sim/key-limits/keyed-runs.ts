// Ten runs over three keys of a limit: what a preview foretells, and what the engine does.
import { action, machine, second } from "#test/support/drive.ts";

const limit = [{ name: "per-customer", key: { var: "execution.variables.customer" }, concurrency: 1 }];

export const keyedRuns = {
  definition: machine({
    name: "keyed",
    states: { a: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
    actions: [action("call", { triggerState: "a", lane: "queue", limit })],
  }),
  tookMs: 2 * second,
  /** `startMs`: the start of the execution. `callMs`: the start of its call. Both count from the start of the test. */
  runs: [
    { id: "r0", customer: "ada", startMs: 0, callMs: 0 },
    { id: "r1", customer: "ada", startMs: 100, callMs: 2_000 },
    { id: "r2", customer: "bob", startMs: 200, callMs: 200 },
    { id: "r3", customer: "ada", startMs: 300, callMs: 4_000 },
    { id: "r4", customer: "eve", startMs: 400, callMs: 400 },
    { id: "r5", customer: "bob", startMs: 500, callMs: 2_200 },
    { id: "r6", customer: "ada", startMs: 600, callMs: 6_000 },
    { id: "r7", customer: "bob", startMs: 700, callMs: 4_200 },
    { id: "r8", customer: "eve", startMs: 800, callMs: 2_400 },
    { id: "r9", customer: "ada", startMs: 900, callMs: 8_000 },
  ],
} as const;
