// Trigger alerts: alerts that a trigger's object sends to the tenant's alert channels, and what it stores of the last
// ones. All types are plain JSON; changes are additive only.
import type { DeliveryFault } from "./delivery.ts";
import type { TriggerKind } from "./started-by.ts";

export type TriggerAlert =
  | { readonly kind: "stuck"; readonly count: number; readonly at: number }
  | { readonly kind: "frozen"; readonly reason: DeliveryFault; readonly nextStep: string; readonly at: number };

export type SentTriggerAlerts = {
  /** How many stuck deliveries the last alert reported. */
  readonly stuck: number;
  readonly stuckAt: number;
  /**
   * The code of the fault that stopped the poller, from the last alert about it. Null if the last alert reported none.
   */
  readonly poller: string | null;
};

/** The object's calls to the Worker. They throw if an alert could not be sent. */
export type TriggerAlertPort = {
  sendAlerts(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    news: readonly TriggerAlert[],
  ): Promise<void>;
};
