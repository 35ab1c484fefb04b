// Common openings of several windows: finds the time in which all of them are open.
import type { Window } from "#schema/definition/window.ts";
import { COMMON_OPENINGS_MAX } from "#schema/limits/tenants/policies.ts";
import type { Work } from "../computing/work.ts";
import { nextOpening, type Opening } from "./opening-hours.ts";

export type ZonedWindow = { readonly window: Window; readonly zone: string };
/** `last`: the index of the window that opens last. It is 0 if all windows are open now. */
export type CommonOpening = Opening & { readonly last: number };

/**
 * Returns the common opening that is open now, otherwise the next one. null if the windows have none, or none within
 * COMMON_OPENINGS_MAX openings.
 */
export function nextCommonOpening(windows: readonly ZonedWindow[], now: number, work?: Work): CommonOpening | null {
  let opens = now;
  let last = 0;
  for (let checked = 0; checked < COMMON_OPENINGS_MAX; checked += 1) {
    const openings: Opening[] = [];
    for (const { window, zone } of windows) {
      const opening = nextOpening(window, zone, opens, work);
      if (opening === null) return null;
      openings.push(opening);
    }
    const latest = Math.max(...openings.map((each) => each.opens));
    if (latest <= opens) return { opens, closes: Math.min(...openings.map(({ closes }) => closes)), last };
    opens = latest;
    last = openings.findIndex((each) => each.opens === latest);
  }
  return null;
}
