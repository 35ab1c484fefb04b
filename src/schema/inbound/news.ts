// What a trigger's object has to say to people, by the alert channels of its tenant, and what it has said. Plain JSON;
// additive only: during a deploy both versions talk to each other.
import type { Trouble } from "./delivery.ts";
import type { TriggerKind } from "./started-by.ts";

export type TriggerNews =
  | { readonly kind: "stuck"; readonly count: number; readonly at: number }
  | { readonly kind: "frozen"; readonly reason: Trouble; readonly nextStep: string; readonly at: number };

export type TriggerTold = {
  /** So many deliveries were stuck when that was told. */
  readonly stuck: number;
  readonly stuckAt: number;
  /** The code of what keeps its poller from reading on, as it was told. */
  readonly poller: string | null;
};

/** The Worker's stateless entrypoint, as the object sees it. Throws where it could not be told. */
export type TriggerNewsPort = {
  tellNews(
    of: { readonly tenant: string; readonly trigger: string; readonly kind: TriggerKind },
    news: readonly TriggerNews[],
  ): Promise<void>;
};
