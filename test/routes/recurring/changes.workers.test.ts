// Changes of recurring actions over HTTP: an update checks what it changes, and concurrent or repeated requests.
import { describe, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { must, order } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";

describe("PUT", () => {
  const url = "https://example.com/hook";

  test("does not check what it leaves unchanged", async () => {
    const { ask, create } = await here();
    await must(200, ask("PUT", "/v1/secrets/crm", { value: "abc-def-ghi" }));
    const { recurring_id: id } = await create({ payload: { url, headers: { A: "{{ secrets.crm }}" } } });
    await ask("DELETE", "/v1/secrets/crm");
    for (const change of [{ enabled: false }, { description: "off" }, { cron_expr: "0 8 * * *" }])
      await must(200, ask("PUT", `${PATH}/${id}`, change));
    const refused = await must(400, ask("PUT", `${PATH}/${id}`, { dedup_key: "d" }));
    expect(refused.body.errors[0]).toMatchObject({ pointer: "/payload/headers/A", code: "secret_unset" });
  });

  test("disables a recurring action whose definition is archived", async () => {
    const { ask } = await here();
    await must(201, ask("POST", "/v1/definitions", order));
    const body = { cron_expr: "0 9 * * *", definition: "order" };
    const { recurring_id: id } = (await must(201, ask("POST", PATH, body))).body;
    await must(200, ask("POST", "/v1/definitions/order/archive", {}));
    expect((await must(200, ask("PUT", `${PATH}/${id}`, { enabled: false }))).body.enabled).toBe(false);
  });

  test("by name does not check what it leaves unchanged", async () => {
    const { ask, create } = await here();
    await must(201, ask("POST", "/v1/templates", { name: "hello", text: "Hi" }));
    const account = { name: "mail", provider: "sendgrid", credentials: { apiKey: "sendgrid_key" } };
    await must(201, ask("POST", "/v1/connections", { ...account, settings: { from: "a@example.com" } }));
    const body = { ...digest, provider: "email", payload: { to: "a@example.com", template: "hello" }, priority: 3 };
    const soon = { ...body, ends_at: "2026-11-17T00:00:00Z" };
    await create({ ...soon, name: "daily", ends_at: null });
    await must(200, ask("POST", "/v1/templates/hello/archive", {}));
    await must(200, ask("DELETE", "/v1/connections/mail"));
    const off = await must(200, ask("PUT", `${PATH}/daily`, { ...body, enabled: false }));
    expect(off.body).toMatchObject({ enabled: false, result: "changed", action_template: { priority: 3 } });
    await must(200, ask("PUT", `${PATH}/daily`, { ...body, cron_expr: "0 8 * * *" }));
    await must(400, ask("PUT", `${PATH}/daily`, { ...body, priority: 4 }));
  });

  test("keeps the connection if another field of the work changes", async () => {
    const { ask, create } = await here();
    const account = { name: "team", provider: "slack", credentials: { token: "slack_token" } };
    await must(201, ask("POST", "/v1/connections", account));
    const { recurring_id: id } = await create({ provider: "slack", payload: { text: "Hi" } });
    await must(201, ask("POST", "/v1/connections", { ...account, name: "other" }));
    const changed = await must(200, ask("PUT", `${PATH}/${id}`, { metadata: { a: "b" }, priority: 7 }));
    expect(changed.body.action_template).toMatchObject({ metadata: { a: "b" }, priority: 7 });
    await must(400, ask("PUT", `${PATH}/${id}`, { payload: { text: "Hello" } }));
  });

  test("20 at the same time all succeed", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const put = (_: unknown, n: number) => ask("PUT", `${PATH}/${id}`, { description: `change ${n}` });
    const answers = await Promise.all(Array.from({ length: 20 }, put));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

test("DELETE with a key answers a repeat like the first request", async () => {
  const { ask, create } = await here();
  const { recurring_id: id } = await create();
  const key = { "Idempotency-Key": "delete-1" };
  await must(204, ask("DELETE", `${PATH}/${id}`, undefined, key));
  await must(204, ask("DELETE", `${PATH}/${id}`, undefined, key));
  await must(404, ask("DELETE", `${PATH}/${id}`));
});

test("a dry run of DELETE answers with the recurring action, and deletes nothing", async () => {
  const { ask, create } = await here();
  const { id, name } = await create({ name: "daily" });
  expect(name).toBe("daily");
  const dry = await must(200, ask("DELETE", `${PATH}/daily?dryRun=true`));
  expect(dry.body).toMatchObject({ id, name: "daily", action_type: "send_digest", dry_run: true });
  await must(404, ask("DELETE", `${PATH}/nothing?dryRun=true`));
  await must(204, ask("DELETE", `${PATH}/daily`));
  await must(404, ask("DELETE", `${PATH}/${id}?dryRun=true`));
});

test("a quota of 0 stops existing recurring actions, and the history says why", async () => {
  const { ask, create, until, cells, tenant, fetchRoot } = await here();
  const { recurring_id: id } = await create();
  await must(200, fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurring: 0 } }));
  await until(next);
  expect(cells.states()).toEqual([]);
  const { history } = (await must(200, ask("GET", `${PATH}/${id}/history`))).body;
  expect(history).toMatchObject([{ outcome: "missed", reason: "quota_exceeded" }]);
});

test("count limits the occurrences between from and to", async () => {
  const { ask, create } = await here();
  const { recurring_id: id } = await create();
  const range = "from=2026-11-01T00:00:00Z&to=2026-12-31T00:00:00Z";
  const some = (await must(200, ask("GET", `${PATH}/${id}/occurrences?${range}&count=3`))).body;
  expect([some.occurrences.length, some.has_more]).toEqual([3, true]);
  const all = (await must(200, ask("GET", `${PATH}/${id}/occurrences?${range}`))).body;
  expect(all.occurrences.length).toBeGreaterThan(20);
});

test("an occurrence with a dedup key that is in use is deduplicated", async () => {
  const { ask, create, until, cells } = await here();
  const { recurring_id: id } = await create({ dedup_key: "digest", cron_expr: "0 9,10 * * *" });
  await until(next);
  await until("2026-11-18T15:00:00Z");
  const { history } = (await must(200, ask("GET", `${PATH}/${id}/history`))).body;
  const [second, first] = history;
  expect([first.outcome, second.outcome, second.action_id]).toEqual(["dispatched", "deduplicated", first.action_id]);
  expect(cells.states()).toHaveLength(1);
  expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({ execution_count: 1, failed_count: 0 });
});

test("cancel_other waits until the attempt in flight of the previous occurrence has ended", async () => {
  const { ask, create, until, cells, tenant } = await here();
  const { recurring_id: id } = await create({ overlap: "cancel_other" });
  await until(next);
  const [first] = cells.states();
  const execution = first?.id ?? "";
  const cell = cellName(tenant, execution);
  const run = first?.runs[0]?.id ?? "";
  cells.take(cell, execution, { kind: "claim", run, attempt: 1, lane: "queue" });
  await must(200, ask("POST", `${PATH}/${id}/trigger`, {}));
  await until("2026-11-18T14:00:20Z");
  expect(cells.states()).toMatchObject([{ status: "canceled", runs: [{ status: "running" }] }]);
  const outcome: Outcome = { ok: true, result: null, events: [], startedAt: 1, endedAt: 2 };
  cells.take(cell, execution, { kind: "settle", run, attempt: 1, outcome });
  await until("2026-11-18T14:05:00Z");
  expect(cells.states()).toHaveLength(2);
  const { history } = (await must(200, ask("GET", `${PATH}/${id}/history`))).body;
  expect(history[0]).toMatchObject({ outcome: "dispatched" });
});

test.each([
  ["/timezone", { timezone: "+02:00" }],
  ["/timezone", { timezone: "Factory" }],
  ["/action_type", { action_type: "send digest" }],
  ["/action_type", { action_type: "9am" }],
])("%s of %j is refused", async (pointer, over) => {
  const { ask } = await here();
  const { body } = await must(400, ask("POST", PATH, { ...digest, ...over }));
  expect(body.errors[0].pointer).toBe(pointer);
});
