// Which trigger has brought an execution about: kept with it, and found by it in lists.

/** webhook: it is called. poller: it asks. */
export const triggerKinds = ["webhook", "poller"] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export type StartedBy = { readonly trigger: string; readonly kind: TriggerKind };
