// Effects: what the kernel asks the shell to do after a step is committed. Every effect may be executed twice.
import type { OutboxRef } from "./outbox.ts";

export type Effect =
  /** Send this attempt to a runner: at once from the object (direct) or through the queue. */
  | {
      readonly kind: "dispatch";
      readonly run: string;
      readonly attempt: number;
      readonly priority: number;
      readonly lane: "direct" | "queue";
      /** The attempt's timeout, if that is too long for the queue of short actions. */
      readonly timeoutMs?: number;
    }
  /** This attempt is in progress and no longer needed: abort it if possible. Its outcome may still arrive. */
  | { readonly kind: "abort"; readonly run: string; readonly attempt: number }
  /** Send the catalog a projection: the execution rests, has ended, or has been busy for a while. */
  | { readonly kind: "project" }
  /** Send the outbox: these messages are sent first. The consumer reads them from the state. */
  | { readonly kind: "send"; readonly messages: readonly OutboxRef[] }
  /** Retention has ended: delete the full history. */
  | { readonly kind: "purge" };
