// Tests the order in which items are served. An item is its tenant and priority: "a5".
import { expect, test } from "vitest";
import {
  releaseItem,
  queueByTenant,
  serveNext,
  waitingItems,
  type TenantQueues,
  type WaitingItem,
} from "#policy/gates/fair-share.ts";

type Item = WaitingItem & { readonly name: string };

function itemOf(name: string): Item {
  return { name, tenant: name.charAt(0), priority: Number(name.slice(1)) };
}

/** Returns the order of served items. Of the steps, "?" serves the next item, and "-a" ends an item of tenant a. */
function told(names: string, steps: string, quotas: { readonly [tenant: string]: number } = {}): string {
  let queues: TenantQueues<Item> = queueByTenant(names.split(" ").map(itemOf), (tenant) => quotas[tenant] ?? 6);
  const order: string[] = [];
  for (const step of steps.split(" ")) {
    if (step.startsWith("-")) queues = releaseItem(queues, step.slice(1));
    else {
      const next = serveNext(queues);
      order.push(next?.item.name ?? "nobody");
      queues = next?.queues ?? queues;
    }
  }
  return order.join(" ");
}

test.each([
  // Columns: case, waiting items, steps, served items.
  ["one tenant's items are served by priority, then by arrival", "a1 a9 a5 a9", "? ? ? ? ?", "a9 a9 a5 a1 nobody"],
  ["tenants take turns, however many items one has", "a0 a1 a2 a3 b0 c0", "? ? ? ? ? ?", "a3 b0 c0 a2 a1 a0"],
  ["a higher priority does not precede other tenants", "a99 a98 a97 b1 b0", "? ? ? ? ?", "a99 b1 a98 b0 a97"],
  [
    "the tenant with fewer items in progress is next",
    "a0 a0 a0 b0 b0 b0",
    "? ? ? ? -b -b ? ? ?",
    "a0 b0 a0 b0 b0 a0 nobody",
  ],
  ["of equal tenants the one with the oldest turn is next", "a0 a0 b0 b0 c0 c0", "? ? ? -b -a ? ?", "a0 b0 c0 a0 b0"],
  ["without other waiting tenants one tenant gets all slots", "a0 a0 a0 b0", "? ? ? ?", "a0 b0 a0 a0"],
])("%s", (_what, waiting, steps, order) => {
  expect(told(waiting, steps)).toBe(order);
});

test.each([
  ["applies while other tenants wait", "a0 a0 a0 b0", "? ? ? ?", { a: 1 }, "a0 b0 nobody nobody"],
  ["applies also if no other tenant waits", "a0 a0 a0", "? ? ?", { a: 2 }, "a0 a0 nobody"],
  ["allows the next item after one has ended", "a0 a0 a0", "? ? -a ?", { a: 1 }, "a0 nobody a0"],
  ["of zero allows no item", "a0 b0", "? ?", { a: 0 }, "b0 nobody"],
])("a quota %s", (_what, waiting, steps, quotas, order) => {
  expect(told(waiting, steps, quotas)).toBe(order);
});

test("items that were not served are still waiting", () => {
  const queues = queueByTenant(["a0", "a1", "b0"].map(itemOf), () => 6);
  expect(waitingItems(serveNext(queues)?.queues ?? queues).map(({ name }) => name)).toEqual(["a0", "b0"]);
});
