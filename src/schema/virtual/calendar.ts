// Calendars: the expected actions of several subjects as rows, and the diff of two calendars.
import type { ExpectedAction } from "./expected-actions.ts";

export type CalendarRow = {
  readonly subject: string;
  /** The number of the run among the subject's runs of this action, from 1. */
  readonly nth: number;
  readonly expected: ExpectedAction;
};

export const changeKinds = ["added", "removed", "moved"] as const;
export type CalendarChange = {
  readonly kind: (typeof changeKinds)[number];
  /** The row of the new calendar. For a removed row, that of the old calendar. */
  readonly row: CalendarRow;
  /** The old time in epoch ms. Null if the row is new, or if it had no date. */
  readonly from: number | null;
};
