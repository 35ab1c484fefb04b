// Trigger reports: what a trigger's object reports through the alert channels of its tenant, and what it has reported.
// Plain JSON; additive only: during a deploy both versions call each other.
import type { Trouble } from "./delivery.ts";
import type { TriggerKind } from "./started-by.ts";

export type TriggerAlert =
  | { readonly kind: "stuck"; readonly count: number; readonly at: number }
  | { readonly kind: "frozen"; readonly reason: Trouble; readonly nextStep: string; readonly at: number };

export type SentTriggerAlerts = {
  /** The number of stuck deliveries in the last report. */
  readonly stuck: number;
  readonly stuckAt: number;
  /** The code of what stops its poller, as reported. */
  readonly poller: string | null;
};

/** The Worker's stateless entrypoint, as the object sees it. Throws if the report could not be sent. */
export type TriggerAlertPort = {
  sendAlerts(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    news: readonly TriggerAlert[],
  ): Promise<void>;
};
