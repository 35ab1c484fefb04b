// Calendars: the expected actions of several subjects as rows, and the diff of two calendars.
import type { ExpectedAction } from "./expected-actions.ts";

export type CalendarRow = {
  readonly subject: string;
  /** The number of the run among all runs of this action for the subject, from 1. */
  readonly nth: number;
  readonly expected: ExpectedAction;
};

export const changeKinds = ["added", "removed", "moved"] as const;
export type CalendarChange = {
  readonly kind: (typeof changeKinds)[number];
  /** The row in the new calendar; for a removed row, the row in the old calendar. */
  readonly row: CalendarRow;
  /** The old time in epoch ms; null if the row is new, or had no date. */
  readonly from: number | null;
};
