// The fields of an action beside `payload`: each started action has them, and GET, PUT and refusals name them.
import { describe, expect, test } from "vitest";
import { must } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";

const settings = {
  retryPolicy: { maxAttempts: 2, baseDelay: 1_000 },
  timeout: 7_000,
  priority: 9,
  lane: "queue",
  condition: { "==": [{ var: "execution.variables.team" }, "mail"] },
  validUntil: "2026-11-18T10:00:00",
  maxLateness: "PT1H",
  onExhausted: "fail",
  tags: ["digest"],
};

const weekly = { name: "gentle", max: 3, per: "P7D", subject: "{{ execution.variables.team }}" };

async function started(over: object) {
  const { ask, create, until } = await here();
  const { recurring_id: id } = await create(over);
  await until(next);
  const { history } = (await must(200, ask("GET", `${PATH}/${id}/history`))).body;
  const action = (await must(200, ask("GET", `/v1/actions/${history[0].action_id}`))).body;
  return { id, ask, action };
}

describe("settings of the action", () => {
  test("reach the started action, and GET shows them", async () => {
    const { id, ask, action } = await started(settings);
    expect(action).toMatchObject({ priority: 9, maxAttempts: 2, tags: ["digest"], status: "queued" });
    const { action_template } = (await must(200, ask("GET", `${PATH}/${id}`))).body;
    expect(action_template).toMatchObject({ payload: digest.payload, ...settings });
  });

  test("a window and a cap reach the started action, and the occurrences show when it runs", async () => {
    // The occurrence is at 09:00 in New York, which is 14:00 UTC. The window opens an hour later.
    const window = { days: "MON-FRI", from: "10:00", to: "17:00" };
    const { id, ask, action } = await started({ window, cap: weekly });
    expect(action).toMatchObject({ status: "queued", dueAt: "2026-11-18T15:00:00.000Z", held: { reason: "window" } });
    const { body } = await must(200, ask("GET", `${PATH}/${id}/occurrences?count=1`));
    expect(body.occurrences).toMatchObject([
      { at: "2026-11-19T14:00:00Z", goes_at: "2026-11-19T14:00:00Z", runs_at: "2026-11-19T15:00:00Z" },
    ]);
    const { action_template, upcoming } = (await must(200, ask("GET", `${PATH}/${id}`))).body;
    expect(action_template).toMatchObject({ window, cap: weekly });
    expect(upcoming[0]).toMatchObject({ runs_at: "2026-11-19T15:00:00Z" });
  });

  test("a condition that is false skips the action", async () => {
    const { action } = await started({ condition: { "==": [{ var: "execution.variables.team" }, "sales"] } });
    expect(action).toMatchObject({ status: "skipped", reason: "condition_false" });
  });

  // The occurrence is at 09:00 in New York, which is 14:00 UTC.
  test.each([
    ["2026-11-18T09:30:00", "queued"],
    ["2026-11-18T08:30:00", "skipped"],
  ])("validUntil %s is in the zone of the cron expression: %s", async (validUntil, status) => {
    expect((await started({ validUntil })).action.status).toBe(status);
  });

  test("PUT changes one and removes one, and the others stay", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create({ priority: 9, timeout: 7_000 });
    const put = async (body: object) => (await must(200, ask("PUT", `${PATH}/${id}`, body))).body.action_template;
    expect(await put({ priority: 8 })).toMatchObject({ priority: 8, timeout: 7_000 });
    const left = await put({ priority: null, tags: ["a"] });
    expect(left).toMatchObject({ timeout: 7_000, tags: ["a"] });
    expect(left).not.toHaveProperty("priority");
    expect(await put({ timeout: null, tags: null })).not.toHaveProperty("timeout");
  });

  test.each<readonly [object, string]>([
    [{ retryPolicy: { retryableErrors: ["tmeout"] } }, "/retryPolicy/retryableErrors/0"],
    [{ condition: { varr: "x" } }, "/condition"],
    [{ validUntil: "soon" }, "/validUntil"],
    [{ priority: 101 }, "/priority"],
    [{ onExhausted: "pause" }, "/onExhausted"],
    [{ retry_policy: "email" }, "/retry_policy"],
    [{ window: "office" }, "/window"],
    [{ window: { from: "09:00", to: "17:00", timezone: { varr: "x" } } }, "/window/timezone"],
    [{ cap: "gentle" }, "/cap"],
    [{ cap: { name: "gentle", max: 3, per: "P7D" } }, "/cap/subject"],
    [{ cap: { ...weekly, subject: "{{ execution.variables.customer }}" } }, "/cap/subject"],
    [{ delay: "PT1H" }, "/delay"],
    [{ config: {} }, "/config"],
  ])("%j is refused at its field", async (over, pointer) => {
    const { ask } = await here();
    const { body } = await must(400, ask("POST", PATH, { ...digest, ...over }));
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  test("are refused beside a definition, on POST and on PUT", async () => {
    const { ask } = await here();
    const definition = { kind: "machine", name: "order", initial: "a", states: { a: { type: "final" } } };
    await must(201, ask("POST", "/v1/definitions", definition));
    const { provider: _p, action_type: _a, payload: _l, metadata: _m, dedup_key: _d, ...rest } = digest;
    const started = { ...rest, definition: "order" };
    const { body } = await must(400, ask("POST", PATH, { ...started, timeout: 5 }));
    expect(body.errors).toMatchObject([{ pointer: "/timeout" }]);
    const { recurring_id: id } = (await must(201, ask("POST", PATH, started))).body;
    const put = await must(400, ask("PUT", `${PATH}/${id}`, { retryPolicy: "email" }));
    expect(put.body.errors).toMatchObject([{ pointer: "/retryPolicy", code: "not_allowed" }]);
  });
});
