// A slot under a subject's cap: what a run asks for before it is carried out, and what the subject's object keeps.
import type { Cap } from "../definition/cap.ts";

/** A window as it counts: so many milliseconds back, or the day in a zone. */
export type CapWindow =
  | { readonly kind: "rolling"; readonly ms: number }
  | { readonly kind: "day"; readonly timezone: string };

/** What a run's ticket says of the cap it comes under. */
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
  /** The run's idempotency key: it counts once, however often it comes. */
  readonly key: string;
};

/** `isNew`: it has not been counted before, so that the slot may be given back. */
export type Slot = { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly opensAt: number };

/** What a subject keeps of one cap. */
export type CapRow = {
  readonly v: 1;
  readonly cap: string;
  /** As it was asked for the last time. */
  readonly max: number;
  readonly window: CapWindow;
  /** For as long as anybody has asked to look back. */
  readonly keepMs: number;
  /** The earliest first. `times`: how often its run has asked; one that has asked again keeps it, whatever the first asker says. */
  readonly taken: readonly { readonly key: string; readonly at: number; readonly times: number }[];
};

export type CapUse = {
  readonly cap: string;
  readonly max: number;
  readonly window: CapWindow;
  readonly used: number;
  /** When the next slot opens; null: there is one now. */
  readonly opensAt: number | null;
};
