// What the kernel asks the shell to do once a step is committed. Every one of them may be done twice.
import type { OutboxRef } from "./outbox.ts";

export type Effect =
  /** Hand this attempt to a runner: at once from the object (direct) or through the queue. */
  | {
      readonly kind: "dispatch";
      readonly run: string;
      readonly attempt: number;
      readonly priority: number;
      readonly lane: "direct" | "queue";
      /** Its timeout, where that is too long for the queue that short actions travel by. */
      readonly timeoutMs?: number;
    }
  /**
   * Nobody wants this attempt any more, and it is in flight: whoever carries it is told to stop, where that can be done.
   * Its outcome still comes, if it comes at all.
   */
  | { readonly kind: "abort"; readonly run: string; readonly attempt: number }
  /** Tell the catalog: the execution rests, ended, or has been busy for a while. */
  | { readonly kind: "project" }
  /** Send the outbox: these messages go out first. The consumer reads them from the state. */
  | { readonly kind: "send"; readonly messages: readonly OutboxRef[] }
  /** Retention has ended: the full history goes. */
  | { readonly kind: "purge" };
