// Counts costs that items share in time: all items of one cell within one window cost as much as one.
import { FORECAST_COMBINED_MS } from "#schema/limits/planning/forecast-sizes.ts";

export type Windows = {
  readonly add: (at: number) => void;
  /**
   * Returns the expected number of windows with at least one item. Each item reaches one of `cells` cells with the same
   * probability.
   */
  readonly count: (cells: number, spread: Spread) => number;
};
/** Each simulated item represents `weight` items, which are spread evenly over `ms` milliseconds. */
export type Spread = { readonly weight: number; readonly ms: number };

export function openWindows(windowMs: number): Windows {
  const items = new Map<number, number>();
  return {
    add: (at) => {
      const window = Math.floor(at / windowMs);
      items.set(window, (items.get(window) ?? 0) + 1);
    },
    count: (cells, { weight, ms }) => {
      // Items within FORECAST_COMBINED_MS are started in one request, so a window is at least that long.
      const windows = Math.max(1, Math.min(weight, ms / Math.max(windowMs, FORECAST_COMBINED_MS)));
      return [...items.values()].reduce((sum, count) => sum + windows * reached(cells, (count * weight) / windows), 0);
    },
  };
}

/** Returns the expected number of cells that at least one item reaches. */
function reached(cells: number, items: number): number {
  return cells * (1 - (1 - 1 / cells) ** items);
}
