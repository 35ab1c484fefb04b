// Effects: work that the kernel requests from the shell. The shell does it after the step is committed, possibly twice.
import type { OutboxRef } from "./outbox.ts";

export type Effect =
  /** Send the attempt to a runner. It is called directly from the object, or through the queue. */
  | {
      readonly kind: "dispatch";
      readonly run: string;
      readonly attempt: number;
      readonly priority: number;
      readonly lane: "direct" | "queue";
      /** The attempt's timeout in ms. It is set only if the timeout is too long for the queue of short actions. */
      readonly timeoutMs?: number;
    }
  /**
   * Abort the attempt in progress if its runner can be aborted, because the run is no longer needed. The attempt's
   * outcome may still arrive.
   */
  | { readonly kind: "abort"; readonly run: string; readonly attempt: number }
  /** Send a projection to the catalog, because the execution rests, has ended, or has been busy for a while. */
  | { readonly kind: "project" }
  /**
   * Send the outbox. `messages` are the messages that this step added. The consumer reads all unconfirmed messages from
   * the state.
   */
  | { readonly kind: "send"; readonly messages: readonly OutboxRef[] }
  /** Delete the full history, because the retention has ended. */
  | { readonly kind: "purge" };
