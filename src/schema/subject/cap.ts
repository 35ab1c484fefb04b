// Cap slots: what a run requests before it is executed, and what the subject's object stores.
import type { Cap } from "../definition/cap.ts";

/** A window as counted: this many milliseconds back, or the day in a zone. */
export type CapWindow =
  | { readonly kind: "rolling"; readonly ms: number }
  | { readonly kind: "day"; readonly timezone: string };

/** A ticket's cap. */
export type TicketCap = {
  readonly name: string;
  readonly subject: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly over: NonNullable<Cap["over"]>;
};

export type SlotAsk = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  /** The run's idempotency key: it counts once, however often it is repeated. */
  readonly key: string;
};

/** `isNew`: it was not counted before, so the slot may be released. */
export type Slot = { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly opensAt: number };

/** A subject's data of one cap. */
export type CapRow = {
  readonly v: 1;
  readonly cap: string;
  /** The last requested value. */
  readonly max: number;
  readonly window: CapWindow;
  /** The longest requested period. */
  readonly keepMs: number;
  /**
   * The earliest first. `times`: how often its run has asked; a repeated request keeps it, even if the first one
   * releases it.
   */
  readonly taken: readonly { readonly key: string; readonly at: number; readonly times: number }[];
};

export type CapUse = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly used: number;
  /** When the next slot is free; null: now. */
  readonly opensAt: number | null;
};
