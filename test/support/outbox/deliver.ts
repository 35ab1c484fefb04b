// The real consumer of outboxes, for tests whose cells are in memory.
import { deliverOutbox } from "#queue/outbox.ts";
import { later } from "#queue/timeouts.ts";
import type { Deps } from "#services/deps.ts";

/** The consumer's delivery of one execution's outbox. True: its message is done with. */
export async function isDelivered(deps: Partial<Deps>, tenant: string, execution: string): Promise<boolean> {
  const all = { log: () => {}, ...deps } as Deps; // whatever the kinds in this outbox need
  return (await deliverOutbox({ v: 1, kind: "outbox", tenant, execution }, all, later)) === "done";
}
