// What is shared in time: all that happen in one cell within a window pay for it once.
import { FORECAST_TOGETHER_MS } from "#schema/limits/virtual.ts";

export type Windows = {
  readonly add: (at: number) => void;
  /** Windows of so many cells, each of which items reach with the same chance. */
  readonly count: (cells: number, spread: Spread) => number;
};
/** Each item stands for `weight` of them, evenly spread over `ms`. */
export type Spread = { readonly weight: number; readonly ms: number };

export function openWindows(windowMs: number): Windows {
  const items = new Map<number, number>();
  return {
    add: (at) => {
      const window = Math.floor(at / windowMs);
      items.set(window, (items.get(window) ?? 0) + 1);
    },
    count: (cells, { weight, ms }) => {
      // Those of one second are started together.
      const windows = Math.max(1, Math.min(weight, ms / Math.max(windowMs, FORECAST_TOGETHER_MS)));
      return [...items.values()].reduce((sum, count) => sum + windows * reached(cells, (count * weight) / windows), 0);
    },
  };
}

/** The number of cells that at least one of so many items reaches. */
function reached(cells: number, items: number): number {
  return cells * (1 - (1 - 1 / cells) ** items);
}
