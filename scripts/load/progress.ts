// Progress line: formats the state of the load test as one line. Pure function.
import type { LoadPlan } from "#schema/load.ts";
import { concurrencyAt, type Counted } from "./tally.ts";

const BAR = 24;

export function progressLine(
  tally: Pick<Counted, "seconds" | "scenarios">,
  plan: LoadPlan,
  ms: number,
  isOver: boolean,
): string {
  const share = isOver ? 1 : Math.min(1, ms / plan.duration);
  const filled = Math.round(share * BAR);
  const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
  const whole = Math.floor(ms / 1_000) - 1;
  const last = tally.seconds[whole];
  const tallies = [...tally.scenarios.values()];
  const total = (of: (each: (typeof tallies)[number]) => number) => tallies.reduce((all, each) => all + of(each), 0);
  const accepted = total((each) => each.accepted);
  const wrong = total(({ surprises }) => Object.values(surprises).reduce((all, times) => all + times, 0));
  const parts = [
    `${Math.floor(ms / 1_000)}/${Math.round(plan.duration / 1_000)} s`,
    share < 1 ? `${concurrencyAt(plan.stages, ms)} at once` : "waiting for the last to end",
    `${accepted} accepted`,
    ...(last === undefined || share === 1 ? [] : [`${last.dispatched}/s`]),
    ...(wrong === 0 ? [] : [`${wrong} unexpected`]),
  ];
  return `${bar} ${parts.join(" · ")}`;
}
