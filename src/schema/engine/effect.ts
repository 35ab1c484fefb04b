// Effects: what the kernel asks the shell to do after a step is committed. Every effect may be executed twice.
import type { OutboxRef } from "./outbox.ts";

export type Effect =
  /** Send the attempt to a runner: directly from the object, or through the queue. */
  | {
      readonly kind: "dispatch";
      readonly run: string;
      readonly attempt: number;
      readonly priority: number;
      readonly lane: "direct" | "queue";
      /** The attempt's timeout in ms; set only if it is too long for the queue of short actions. */
      readonly timeoutMs?: number;
    }
  /** Abort the attempt in progress, if possible, because its run is no longer needed. Its outcome may still arrive. */
  | { readonly kind: "abort"; readonly run: string; readonly attempt: number }
  /** Send a projection to the catalog, because the execution rests, has ended, or has been busy for a while. */
  | { readonly kind: "project" }
  /** Send the outbox. `messages` are the new messages; the consumer reads all messages from the state. */
  | { readonly kind: "send"; readonly messages: readonly OutboxRef[] }
  /** Delete the full history, because the retention has ended. */
  | { readonly kind: "purge" };
