// What the kernel asks the shell to do once a step is committed. Every one of them may be done twice.
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
  /** It has ended, and the execution that started it waits for that. */
  | { readonly kind: "signal"; readonly parent: string }
  /** Something is to be done about tasks it has asked for: whoever does it reads in its state what. */
  | { readonly kind: "errands" }
  /** Something is to be done about its children: whoever does it reads in its state what. */
  | { readonly kind: "children" }
  /** Its correlation key is another one: the directory has to know. */
  | { readonly kind: "enlist" }
  /** It has ended: its subject's object has to know. */
  | { readonly kind: "subject" }
  /** Retention has ended: the full history goes. */
  | { readonly kind: "purge" };
