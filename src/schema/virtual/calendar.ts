// A calendar: what is expected of several subjects, row by row, and how two calendars differ.
import type { ExpectedAction } from "./expected.ts";

export type CalendarRow = {
  readonly subject: string;
  /** Which of its subject's runs of this action, from 1. */
  readonly nth: number;
  readonly expected: ExpectedAction;
};

export const changeKinds = ["added", "removed", "moved"] as const;
export type CalendarChange = {
  readonly kind: (typeof changeKinds)[number];
  /** As it is now; of what is removed, as it was. */
  readonly row: CalendarRow;
  /** When it was; null where it was not, or without a date. */
  readonly from: number | null;
};
