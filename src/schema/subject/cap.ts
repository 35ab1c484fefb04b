// Cap slots: a run's request for a slot, and the rows that the subject's object stores.
import type { Cap } from "../definition/cap.ts";

/** The window of a cap: a number of milliseconds up to now, or the current day in a time zone. */
export type CapWindow =
  | { readonly kind: "rolling"; readonly ms: number }
  | { readonly kind: "day"; readonly timezone: string };

/** The cap as a ticket contains it. */
export type TicketCap = {
  readonly name: string;
  readonly subject: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly over: NonNullable<Cap["over"]>;
};

export type SlotRequest = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  /** The run's idempotency key. Each run counts once, even if it requests its slot several times. */
  readonly key: string;
};

/**
 * The answer to a run's request for a slot. `isNew`: this request counted the run. Only then may the caller release the
 * slot.
 */
export type Slot = { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly opensAt: number };

/** The row of one cap of a subject. */
export type CapRow = {
  readonly v: 1;
  readonly cap: string;
  /** The maximum that the last request contained. */
  readonly max: number;
  readonly window: CapWindow;
  /** The longest window that a run has requested, in ms. Instants before this window are deleted. */
  readonly keepMs: number;
  /**
   * The counted runs, the earliest first. `times`: how many times the run requested its slot. If it requested the slot
   * more than once, one release does not free it.
   */
  readonly taken: readonly { readonly key: string; readonly at: number; readonly times: number }[];
};

export type CapUse = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly used: number;
  /** When a slot will be free (epoch ms). Null if one is free now. */
  readonly opensAt: number | null;
};

/** The allowances of a definition by cap: the maximum and the window as a text, such as "3 per 7 days". */
export type Allowances = { readonly [cap: string]: string };
