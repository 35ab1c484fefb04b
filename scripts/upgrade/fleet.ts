// Upgrade fleet: the executions of an upgrade drill. It checks that each key always returns the same execution, and
// sends the events that executions wait for.
import type { Account } from "../../test/crash/account.ts";
import { GO, type Order } from "../../test/crash/fleet.ts";
import { requestUntilAnswered, isUnreadable, openQueries, type ExecutionView, type Urls } from "./asking.ts";

export type Started = Order & { readonly id: string };

export function openFleet(urls: Urls, { tenant, startAll }: Account) {
  const asking = openQueries(urls, tenant);
  const byKey = new Map<string, Started>();
  const keys = new Map<string, string>();
  const url = (path: string): string => `${urls.engineUrl}/v1/${path}`;

  return {
    ...asking,
    all: (): readonly Started[] => [...byKey.values()],

    /** Starts the orders. A key that was used before must return the same execution. */
    start: async (orders: readonly Order[]): Promise<void> => {
      const ids = await startAll(orders);
      for (const order of orders) {
        const id = ids.get(order.key) ?? "";
        const known = byKey.get(order.key);
        if (known && known.id !== id) throw new Error(`${order.key} was ${known.id}, and is ${id} now`);
        const owner = keys.get(id);
        if (owner !== undefined && owner !== order.key)
          throw new Error(`${id} was given to ${owner} and to ${order.key}`);
        keys.set(id, order.key);
        byKey.set(order.key, { ...order, id });
      }
    },

    /** Checks that a start under the key of a quarantined execution is refused. */
    refusesToStart: async ({ kind, key, id }: Started): Promise<void> => {
      const body = { definition: kind.name };
      const answer = await requestUntilAnswered(() =>
        tenant.request("POST", url("executions"), body, { "Idempotency-Key": key }),
      );
      if (!isUnreadable(answer))
        throw new Error(`${key} is ${id}, which is quarantined, and got ${answer.status} ${answer.text}`);
    },

    /** Sends the execution's event if it waits for it. Returns the state before the event. */
    release: async (one: Started): Promise<ExecutionView> => {
      const standing = await asking.standingOf(one.id);
      if (standing?.states.includes("asleep") !== true) return standing;
      const { id, key } = one;
      const headers = { "Idempotency-Key": `go-${key}` };
      const sent = (): ReturnType<typeof tenant.request> =>
        tenant.request("POST", url(`executions/${id}/events`), { type: GO }, headers);
      const { status, text } = await requestUntilAnswered(sent);
      if (status >= 300) throw new Error(`${GO} for ${id}: ${status} ${text}`);
      return standing;
    },

    /** Cancels a quarantined execution. */
    cancel: async ({ id }: Started): Promise<void> => {
      const answer = await requestUntilAnswered(() =>
        tenant.request("POST", url(`executions/${id}/cancel`), { reason: "a drill" }),
      );
      if (answer.status !== 200) throw new Error(`cancel ${id}: ${answer.status} ${answer.text}`);
    },
  };
}

export type Fleet = ReturnType<typeof openFleet>;
