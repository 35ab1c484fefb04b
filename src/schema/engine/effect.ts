// Effects: work that the kernel requests from the code around it. It is done after the step is committed, and after a
// crash it may be done again.
import type { OutboxRef } from "./outbox.ts";

export type Effect =
  /** Send the attempt to a runner. The object calls the runner directly, or sends a queue message. */
  | {
      readonly kind: "dispatch";
      readonly run: string;
      readonly attempt: number;
      readonly priority: number;
      readonly lane: "direct" | "queue";
      /** The attempt's timeout in ms. Set only if the attempt is too long for the queue of short actions. */
      readonly timeoutMs?: number;
    }
  /**
   * Abort the attempt in progress, because the run is no longer needed. Only some runners can be aborted, so the
   * attempt's outcome may still arrive.
   */
  | { readonly kind: "abort"; readonly run: string; readonly attempt: number }
  /** Send a projection to the catalog. The execution has ended, has nothing due, or has been busy for a while. */
  | { readonly kind: "project" }
  /**
   * Send the outbox. `messages` are those that this step added. The consumer reads all unconfirmed messages from the
   * state.
   */
  | { readonly kind: "send"; readonly messages: readonly OutboxRef[] }
  /** Delete the full history, because the retention has ended. */
  | { readonly kind: "purge" };
