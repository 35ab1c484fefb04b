// Events and executions that an operator publishes to a trigger through the worker routes.
import { describe, expect, test } from "vitest";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";

describe("a test event", () => {
  const hook = {
    name: "pushes",
    kind: "webhook",
    verify: { scheme: "none" },
    target: { kind: "start", definition: "order", variables: { total: "{{ request.body.total }}" } },
  };

  async function triggered() {
    const made = api();
    const { key } = await tenantWithKey(made);
    const ask = (method: string, path: string, sent: { body?: unknown; key?: string } = {}) =>
      made.ask(method, path, { key, ...sent });
    await must(201, ask("POST", "/v1/definitions", { body: order }));
    const { body: trigger } = await must(201, ask("POST", "/v1/triggers", { body: hook }));
    const test = (body: object, query = "") =>
      ask("POST", `/api/worker/test-event?actionInstanceId=${trigger.id}${query}`, { body });
    return { made, ask, trigger, test };
  }

  test("has the effect of a sender's delivery", async () => {
    const { test, trigger } = await triggered();
    const dry = (await must(200, test({ total: 7 }, "&dryRun=true"))).body;
    expect(dry).toMatchObject({ eventId: null, status: "pending", dryRun: true });
    const { body } = await must(200, test({ total: 7 }, "&areaId=default"));
    expect(body).toMatchObject({ eventId: expect.stringMatching(/^trd_/), status: "pending", reason: null });
    expect(body.executionId).toMatch(/^exe_/);
    expect(trigger.id).toMatch(/^trg_/);
  });

  test("that the mapping cannot use is returned and not stored", async () => {
    const { ask, test } = await triggered();
    const { body } = await must(200, test({}));
    expect(body).toMatchObject({ eventId: null, executionId: null, status: "unmappable" });
    expect(body.reason.message).toContain("request.body.total");
    expect((await must(200, ask("GET", "/v1/triggers/pushes/deliveries"))).body.data).toEqual([]);
  });

  test("is refused for a missing trigger, another namespace, and a disabled trigger", async () => {
    const { made, ask, test, trigger } = await triggered();
    await must(404, test({}, "&areaId=elsewhere"));
    await must(404, ask("POST", "/api/worker/test-event?actionInstanceId=trg_nowhere", { body: {} }));
    const wrong = await must(400, ask("POST", "/api/worker/test-event", { body: {} }));
    expect(wrong.body.errors[0].pointer).toBe("?actionInstanceId");
    const other = await tenantWithKey(made);
    const path = `/api/worker/test-event?actionInstanceId=${trigger.id}`;
    await must(404, made.ask("POST", path, { key: other.key, body: {} }));
    await must(200, ask("POST", "/v1/triggers/pushes/disable", { body: {} }));
    await must(410, test({ total: 1 }));
  });

  test("published twice for one execution has one effect", async () => {
    const { ask, trigger } = await triggered();
    const event = { executionId: "7d4f0c1e", actionInstanceId: trigger.id, areaId: "default", payload: { total: 7 } };
    const publish = async () => (await must(200, ask("POST", "/api/worker/events", { body: event }))).body;
    const first = await publish();
    expect(first).toMatchObject({ eventId: expect.stringMatching(/^trd_/), status: "pending", reason: null });
    expect(await publish()).toMatchObject({ eventId: first.eventId, executionId: first.executionId });
    expect((await must(200, ask("GET", "/v1/triggers/pushes/deliveries"))).body.data).toHaveLength(1);
  });

  test("of a new execution needs the trigger's kind and namespace", async () => {
    const { ask, trigger } = await triggered();
    const body = { actionInstanceId: trigger.id, activationModeId: "webhook", inputPayload: { total: 7 } };
    const create = (more: object = {}) => ask("POST", "/api/worker/executions", { body: { ...body, ...more } });
    expect((await must(200, create({ correlationId: "order-7" }))).body).toMatchObject({ status: "pending" });
    expect((await must(200, create({ activationModeId: null }))).body.executionId).toMatch(/^exe_/);
    await must(404, create({ activationModeId: "poller" }));
    await must(404, create({ areaId: "elsewhere" }));
    expect((await must(400, create({ inputPayload: 1 }))).body.errors[0].pointer).toBe("/inputPayload");
  });
});
