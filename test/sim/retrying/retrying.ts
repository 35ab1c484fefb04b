// Many executions in one cell whose calls fail in three of ten cases, retried after a moment. Retries are started from
// timers in memory, which an eviction loses. No retry may be lost, and none may exceed its policy.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Chance } from "../kit/chance.ts";
import { act, MINUTE, rest, SECOND, type Scenario } from "../scenario.ts";

const TRIES = 4;
const GAP_MS = 100;
const COUNT = 12;
const names = ["one", "two", "three"];

const retryPolicy = { maxAttempts: TRIES, backoffStrategy: "fixed", baseDelay: GAP_MS, jitter: "none" } as const;

const retrying = (chance: Chance, executions: readonly string[], placement: "own" | "pooled"): Scenario => ({
  ...rest,
  jumpMsMax: MINUTE,
  starts: executions.map((id, at) => ({ atMs: at % 2 === 0 ? 0 : chance.between(0, SECOND), executions: [id] })),
  calmly: withinPolicy,
  ending: withinPolicy,
  definition: {
    kind: "machine",
    name: "retrying",
    placement,
    initial: "one",
    states: {
      ...Object.fromEntries(
        names.map((name, at) => [
          name,
          { on: { [`action.${name}.ok`]: names[at + 1] ?? "end", [`action.${name}.failed`]: names[at + 1] ?? "end" } },
        ]),
      ),
      end: { type: "final" },
    },
    actions: names.map((name) => act(name, name, { config: { failsShare: 0.3, takesMs: 5 }, retryPolicy })),
  },
});

/**
 * Checks that each execution completed with each action done once, or that its failed runs had all attempts of their
 * policy.
 */
function withinPolicy({ status, runs }: ExecutionState): string | null {
  if (status !== "completed") return `ended as ${status}`;
  if (runs.length !== names.length) return `had ${runs.length} runs`;
  const wrong = runs.find((run) => run.attempt > TRIES || (run.status !== "ok" && run.attempt < TRIES));
  return wrong === undefined ? null : `left ${wrong.action} ${wrong.status} after ${wrong.attempt} tries of ${TRIES}`;
}

export const retried: { readonly [name: string]: (chance: Chance) => Scenario } = {
  retried: (chance) => retrying(chance, ["exe_sim"], "own"),
  retriedPool: (chance) =>
    retrying(
      chance,
      Array.from({ length: COUNT }, (_, at) => `exe_sim${at}_p3`),
      "pooled",
    ),
};
