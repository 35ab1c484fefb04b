// A journey with past, moved, removed and restored dates, and with windows that hold runs. Every node runs as often as
// its dates require, whatever the faults.
import { isFinalRun } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Chance } from "../kit/chance.ts";
import { BEGIN, HOUR, MINUTE, rest, type Scenario } from "../scenario.ts";
import { act, journey, patch } from "./nodes.ts";

const on = (variable: string) => ({ anchor: { var: `execution.variables.${variable}` } });
const iso = (ms: number): string => new Date(BEGIN + ms).toISOString();

export const postponed = (chance: Chance): Scenario => {
  const pausedAt = chance.between(4, 6) * HOUR;
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    variables: { date: iso(-2 * HOUR), album: iso(10 * MINUTE), zone: chance.pick(["Asia/Tokyo", "Mars/Base"]) },
    scripts: [
      {
        execution: "exe_sim",
        steps: [
          // The past action is reactivated, waits without a date, and runs when a date is set again.
          patch(30 * MINUTE, { date: iso(12 * HOUR) }),
          patch(60 * MINUTE, { date: null }),
          patch(90 * MINUTE, { date: iso(14 * HOUR) }),
          // The completed action runs again.
          patch(120 * MINUTE, { album: iso(16 * HOUR) }),
          { atMs: pausedAt, verb: { kind: "pause" } },
          { atMs: pausedAt + chance.between(1, 60) * MINUTE, verb: { kind: "resume" } },
        ],
      },
    ],
    calmly: (state) => wentOut(state, { mail: 1, album: 2, night: 1, home: 1, last: 1 }),
    definition: journey("postponed", {
      concurrency: 3,
      windows: { home: { from: "08:00", to: "20:00", timezone: { var: "execution.variables.zone" } } },
      initial: ["mail", "album", "night", "home"],
      nodes: {
        mail: act("mail", undefined, { delay: { ...on("date"), ifPast: "skip" } }),
        album: act("album", undefined, { delay: { ...on("album"), onMove: "redo" }, config: { fails: 1 } }),
        night: act("night", "week", { window: { from: "22:00", to: "23:00", spread: "PT20M" } }),
        home: act("home", undefined, { window: "home" }),
        week: { type: "delay", for: "P2D", next: "last" },
        last: act("last", undefined, { window: { from: "06:00", to: "07:00", spread: "PT1H" } }),
      },
    }),
  };
};

/** Checks how often each action was done, and that nothing is left over. */
function wentOut({ runs }: ExecutionState, times: { readonly [action: string]: number }): string | null {
  const left = runs.filter(({ status }) => !isFinalRun(status)).map(({ action }) => action);
  if (left.length > 0) return `still to be done: ${left.join(", ")}`;
  const wrong = Object.entries(times).flatMap(([name, wanted]) => {
    const done = runs.filter(({ action, status }) => action === name && status === "ok").length;
    return done === wanted ? [] : [`${name} went out ${done} times, not ${wanted}`];
  });
  return wrong.length === 0 ? null : wrong.join("; ");
}
