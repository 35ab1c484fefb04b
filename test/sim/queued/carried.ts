// Executions whose runs follow each other so quickly that one message carries all of them. Covers a consumer that
// crashes, a lost response and a doubled message.
import type { Chance } from "../kit/chance.ts";
import { act, HOUR, MINUTE, rest, SECOND, type Scenario } from "../scenario.ts";

const names = ["one", "two", "three", "four"];

const carried = (executions: readonly string[], placement: "own" | "pooled"): Scenario => ({
  ...rest,
  jumpMsMax: MINUTE,
  starts: [0, 0, SECOND, HOUR].map((atMs, at) => ({ atMs, executions: executions.slice(at, at + 1) })),
  definition: {
    kind: "machine",
    name: "carried",
    placement,
    lane: "queue",
    initial: "one",
    states: {
      ...Object.fromEntries(names.map((name, at) => [name, { on: { [`action.${name}.ok`]: names[at + 1] ?? "end" } }])),
      end: { type: "final" },
    },
    actions: names.map((name) => act(name, name, { config: { takesMs: 20 }, timeout: MINUTE })),
  },
});

export const queued: { readonly [name: string]: (chance: Chance) => Scenario } = {
  carried: () => carried(["exe_sim0", "exe_sim1", "exe_sim2", "exe_sim3"], "own"),
  carriedPool: () => carried(["exe_sim0_p3", "exe_sim1_p3", "exe_sim2_p3", "exe_sim3_p3"], "pooled"),
};
