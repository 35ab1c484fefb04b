// Start causes: the trigger that started an execution. It is stored with the execution, and lists can filter by it.

/** webhook: receives requests. poller: sends requests. event: receives published events. */
export const triggerKinds = ["webhook", "poller", "event"] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export type StartedBy = { readonly trigger: string; readonly kind: TriggerKind };
