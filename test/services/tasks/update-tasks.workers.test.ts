// Task updates of executions: applied once however often they arrive, each independently, and confirmed with their result.
import { expect, test } from "vitest";
import type { StoredTask } from "#catalog/tasks/tasks.ts";
import type { OwnTask } from "#schema/engine/own-task.ts";
import type { Cell, ConfirmItem } from "#schema/engine/cell.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { listAudit } from "#catalog/audit.ts";
import { absentCell, catalog, newTenant, NOW, world } from "#test/support/catalog.ts";
import { isDelivered } from "#test/support/outbox/deliver.ts";
import { withOutbox } from "#test/support/outbox/messages.ts";
import { EXECUTION as execution, storeTask } from "./task-rows.ts";

const withdrawn = { at: NOW + 5, reason: "state_left", looks: 0 };

/** A task with a priority and an escalation. */
const store = (tenant: string, run: string, part: Partial<StoredTask> = {}) =>
  storeTask(tenant, run, {
    priority: 10,
    body: { description: null, payload: null, form: null, escalateTo: { assignee: "grace", priority: 90 } },
    ...part,
  });

const update = (run: string, part: Partial<OwnTask>): OwnTask => {
  return { run, action: "ask", boundTo: null, id: null, ...part };
};

function openUpdates(list: readonly OwnTask[], answer: Result<null> = accept(null)) {
  const tenant = newTenant();
  const confirmed: ConfirmItem[] = [];
  const state = withOutbox(
    { status: "waiting", position: { kind: "machine" }, id: execution, tenant, createdAt: NOW, runs: [], tasks: list },
    NOW,
  );
  const cell: Partial<Cell> = {
    read: async () => accept(state as unknown as ExecutionState), // the fields that are read
    confirm: async (items) => {
      confirmed.push(...items);
      return [answer];
    },
  };
  const deps = world({ cell: () => ({ ...absentCell, ...cell }) });
  return { tenant, confirmed, deps, run: () => isDelivered(deps, tenant, execution) };
}

const done = (confirmed: readonly ConfirmItem[]) => confirmed.flatMap((item) => item.items);
const verbs = async (tenant: string) => {
  const page = await listAudit(catalog(), tenant, {}, null, 50);
  return page.ok ? page.value.data.map(({ verb }) => verb) : [];
};
const stored = async (tenant: string, run: string) =>
  store(tenant, run).then(({ createdAt: _createdAt, ...rest }) => rest);

test("a withdrawal closes an open task once, at the moment that the execution names", async () => {
  const { tenant, confirmed, run } = openUpdates([update("1.0", { withdrawn })]);
  await store(tenant, "1.0");
  expect(await run()).toBe(true);
  expect(await run()).toBe(true);
  expect(await stored(tenant, "1.0")).toMatchObject({
    status: "withdrawn",
    reason: "state_left",
    closedAt: NOW + 5,
    closedBy: `engine:${execution}`,
    delivery: "delivered",
  });
  expect(done(confirmed)).toMatchObject([
    { kind: "task_update", key: "withdraw/1.0", found: "open" },
    { kind: "task_update", key: "withdraw/1.0", found: "closed" },
  ]);
  expect(await verbs(tenant)).toEqual(["task.withdraw"]);
});

test.each<[string, Partial<StoredTask>, string, string]>([
  [
    "an end that its execution has not accepted turns into a withdrawal",
    { status: "completed", closedAt: NOW, result: 1 },
    "open",
    "withdrawn",
  ],
  [
    "an end that its execution has accepted is kept",
    { status: "completed", closedAt: NOW, delivery: "delivered" },
    ...(["closed", "completed"] as const),
  ],
  [
    "an end that its execution refused is kept",
    { status: "canceled", closedAt: NOW, delivery: "event_unknown" },
    "closed",
    "canceled",
  ],
])("%s", async (_what, part, found, status) => {
  const { tenant, confirmed, run } = openUpdates([update("1.0", { withdrawn })]);
  await store(tenant, "1.0", part);
  expect(await run()).toBe(true);
  expect(done(confirmed)).toMatchObject([{ found }]);
  const after = await stored(tenant, "1.0");
  expect([after.status, after.result]).toEqual([status, null]);
});

test("a missing task, or one of an earlier incarnation, is not found", async () => {
  const { tenant, confirmed, run } = openUpdates([update("1.0", { withdrawn }), update("2.0", { withdrawn })]);
  await store(tenant, "2.0", { incarnation: NOW - 9, createdAt: NOW - 9 });
  expect(await run()).toBe(true);
  expect(done(confirmed)).toEqual([
    { kind: "task_update", key: "withdraw/1.0", found: "none" },
    { kind: "task_update", key: "withdraw/2.0", found: "none" },
  ]);
});

test("a reminder reads the current task, and changes nothing", async () => {
  const { tenant, confirmed, run } = openUpdates([update("1.0", { reminding: 2 }), update("2.0", { reminding: 1 })]);
  await store(tenant, "1.0", { assignee: "linus" });
  await store(tenant, "2.0", { status: "completed", closedAt: NOW });
  expect(await run()).toBe(true);
  expect(done(confirmed)).toMatchObject([
    { key: "remind/1.0/2", found: "open", task: { assignee: "linus", title: "Approve" } },
    { key: "remind/2.0/1", found: "closed" },
  ]);
  expect(await verbs(tenant)).toEqual([]);
});

test("an escalation reassigns the task once, and a repeat gives the same result", async () => {
  const { tenant, confirmed, run } = openUpdates([update("1.0", { escalating: true })]);
  await store(tenant, "1.0");
  expect([await run(), await run()]).toEqual([true, true]);
  const task = { assignee: "grace", priority: 90, escalatedFrom: "ada" };
  expect(done(confirmed)).toMatchObject([
    { key: "escalate/1.0", found: "open", task },
    { key: "escalate/1.0", found: "open", task },
  ]);
  expect(await stored(tenant, "1.0")).toMatchObject({ ...task, escalatedAt: NOW });
  expect(await verbs(tenant)).toEqual(["task.escalate"]);
});

test("an escalation without a priority keeps it, and a closed task is not changed", async () => {
  const { tenant, confirmed, run } = openUpdates([
    update("1.0", { escalating: true }),
    update("2.0", { escalating: true }),
  ]);
  const body = { description: null, payload: null, form: null, escalateTo: { assignee: "grace" } };
  await store(tenant, "1.0", { body });
  await store(tenant, "2.0", { status: "completed", closedAt: NOW });
  await run();
  expect(done(confirmed)).toMatchObject([
    { found: "open", task: { assignee: "grace", priority: 10 } },
    { found: "closed", task: { assignee: "ada" } },
  ]);
});

test("at most as many updates are applied at once as one message may confirm", async () => {
  const list = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 5 }, (_, n) =>
    update(`${n + 1}.0`, { withdrawn }),
  );
  const { confirmed, run } = openUpdates(list);
  expect(await run()).toBe(true);
  expect(done(confirmed)).toHaveLength(OUTBOX_MESSAGES_PER_DELIVERY_MAX);
});

test("an update that the catalog refuses does not stop the others", async () => {
  const { tenant, confirmed, deps } = openUpdates([update("1.0", { withdrawn }), update("2.0", { reminding: 1 })]);
  await store(tenant, "1.0");
  await store(tenant, "2.0");
  const db: typeof deps.db = Object.create(deps.db, {
    batch: { value: () => Promise.reject(new Error("D1 is down")) },
  });
  expect(await isDelivered({ ...deps, db }, tenant, execution)).toBe(false);
  expect(done(confirmed)).toMatchObject([{ key: "remind/2.0/1", found: "open" }]);
  expect(deps.lines).toMatchObject([{ event: "task_not_updated", execution }]);
});

test("a missing execution, or one without updates, is not changed; one that cannot accept the confirmation gets it again", async () => {
  const nothing = openUpdates([]);
  expect(await nothing.run()).toBe(true);
  expect(nothing.confirmed).toEqual([]);
  const gone = world({ cell: () => ({ ...absentCell, read: async () => refuse({ code: "not_found", message: "" }) }) });
  expect(await isDelivered(gone, "t", execution)).toBe(true);
  const busy = openUpdates([update("1.0", { withdrawn })], refuse({ code: "internal_error", message: "" }));
  expect(await busy.run()).toBe(false);
});
