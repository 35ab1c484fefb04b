// Cap slots: the request of a run for a slot, and the rows of the subject's object.
import type { Cap } from "../definition/cap.ts";

/** The window of a cap: the last milliseconds, or the day in a time zone. */
export type CapWindow =
  | { readonly kind: "rolling"; readonly ms: number }
  | { readonly kind: "day"; readonly timezone: string };

/** The cap in a ticket. */
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
  /** The run's idempotency key. A run counts once, however many times its request is repeated. */
  readonly key: string;
};

/**
 * The answer to a run's request for a slot. `isNew`: this request counted the run, so the caller may release the slot.
 */
export type Slot = { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly opensAt: number };

/** The row of one cap of a subject. */
export type CapRow = {
  readonly v: 1;
  readonly cap: string;
  /** The maximum in the last request. */
  readonly max: number;
  readonly window: CapWindow;
  /** The longest window that any run requested, in ms. Instants that are older are deleted. */
  readonly keepMs: number;
  /**
   * The counted runs, earliest first. `times`: how many times the run requested its slot. After several requests a
   * single release does not free the slot.
   */
  readonly taken: readonly { readonly key: string; readonly at: number; readonly times: number }[];
};

export type CapUse = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly used: number;
  /** When the next slot is free (epoch ms); null if a slot is free now. */
  readonly opensAt: number | null;
};
