// Which trigger has brought an execution about: kept with it, and found by it in lists.

/** webhook: it is called. poller: it asks. event: it hears what is posted for whom it concerns. */
export const triggerKinds = ["webhook", "poller", "event"] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export type StartedBy = { readonly trigger: string; readonly kind: TriggerKind };
