// Calendars: the expected actions of several subjects, row by row, and the diff of two calendars.
import type { ExpectedAction } from "./expected.ts";

export type CalendarRow = {
  readonly subject: string;
  /** The position among its subject's runs of this action, from 1. */
  readonly nth: number;
  readonly expected: ExpectedAction;
};

export const changeKinds = ["added", "removed", "moved"] as const;
export type CalendarChange = {
  readonly kind: (typeof changeKinds)[number];
  /** The current row; for a removed one, the old row. */
  readonly row: CalendarRow;
  /** The old time; null if it did not exist, or without a date. */
  readonly from: number | null;
};
