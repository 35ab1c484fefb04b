// Standalone actions under dedup keys: independent clients sometimes request the same action.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import { dedupDigest } from "#schema/ids.ts";
import type { Chance } from "./kit/chance.ts";
import type { Seen } from "./oracle.ts";
import { act, BEGIN, endsAs, HOUR, MINUTE, rest, SECOND, type Scenario } from "./scenario.ts";

const WINDOW_MS = 2 * MINUTE;
const CLIENTS = 24;

/** Few keys and a short window: calls coincide, and unfinished actions are older than the latest. */
export const keyed = (chance: Chance): Scenario => {
  const action = act("call", "act", { config: { fails: 5 } });
  const standalone: Standalone = { action, dedup: { key: "first", windowMs: WINDOW_MS } };
  const keys = ["first", "second"] as const;
  return {
    ...rest,
    jumpMsMax: 3 * MINUTE,
    starts: [],
    standalone,
    definition: oneActionProgram(standalone).definition,
    ending: endsAs("completed"),
    keyed: Array.from({ length: CLIENTS }, () => ({
      atMs: chance.between(0, 5) * 70 * SECOND,
      key: chance.pick(keys),
    })),
  };
};

/** The action's id for one attempt, as the service makes it: the key's digest, and the time of the request. */
export function idFor(key: string, now: number): string {
  return `exe_d${key.toUpperCase().padEnd(26, "0")}${String(now - BEGIN + HOUR).padStart(10, "0")}_p1`;
}

export function underKey(command: StartCommand, key: string): StartCommand {
  const { standalone } = command;
  return standalone ? { ...command, standalone: { ...standalone, dedup: { key, windowMs: WINDOW_MS } } } : command;
}

/** Checks that no window has more than one action of a key, and that no call started two. */
export function keyedProblems({ keyed: calls = [] }: Scenario, seen: ReadonlyMap<string, Seen>): readonly string[] {
  if (calls.length === 0) return [];
  const states = [...seen.values()].map(({ state }) => state).toSorted((a, b) => a.createdAt - b.createdAt);
  const twice = [...Map.groupBy(states, ({ receipts }) => receipts[0]?.inputId)]
    .filter(([, begun]) => begun.length > 1)
    .map(([call, begun]) => `${call} began ${begun.map(({ id }) => id).join(" and ")}`);
  const close = [...Map.groupBy(states, ({ id }) => dedupDigest(id)).values()].flatMap((same) =>
    same.slice(1).flatMap(({ id, createdAt }, n) => {
      const before = same[n];
      return before && createdAt < before.createdAt + WINDOW_MS
        ? [`${id} was begun in the window of ${before.id}`]
        : [];
    }),
  );
  return [...twice, ...close];
}
