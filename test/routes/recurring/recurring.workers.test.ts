// Recurring actions over HTTP: creation as the specification shows it, and the occurrences.
import { describe, expect, test } from "vitest";
import { must, order } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";

describe("creating", () => {
  test("returns the specified response, and the next five occurrences", async () => {
    const { ask } = await here();
    const { body, status } = await ask("POST", PATH, digest);
    expect(status).toBe(201);
    const { id, recurring_id, upcoming, in_words, ...rest } = body;
    expect(recurring_id).toMatch(/^rec_/);
    expect(id).toBe(recurring_id);
    const said = {
      next_execution: next,
      next_execution_at: next,
      cron_expr: "0 9 * * MON-FRI",
      timezone: "US/Eastern",
      enabled: true,
    };
    expect(rest).toEqual({ ...said, name: null, repeated: false, dry_run: false });
    expect(in_words).toBe("Every weekday at 9:00 AM ET");
    expect(upcoming).toHaveLength(5);
    expect(upcoming[0]).toEqual({
      at: next,
      local: "2026-11-18T09:00:00",
      utc_offset: "-05:00",
      dst: "none",
      goes_at: next,
      runs_at: next,
      moved_from: null,
      skipped: false,
    });
  });

  test("a repeat returns the same recurring action; another body is refused", async () => {
    const { ask } = await here();
    const key = { "Idempotency-Key": "digest-1" };
    const first = await must(201, ask("POST", PATH, digest, key));
    const again = await must(200, ask("POST", PATH, digest, key));
    expect(again.body).toEqual({ ...first.body, repeated: true });
    const other = await must(422, ask("POST", PATH, { ...digest, description: "x" }, key));
    expect(other.body.code).toBe("idempotency_conflict");
    expect((await ask("GET", PATH)).body.recurring_actions).toHaveLength(1);
    await must(204, ask("DELETE", `${PATH}/${first.body.recurring_id}`));
    await must(409, ask("POST", PATH, digest, key));
  });

  test("a repeat creates the object if the first request only wrote the row", async () => {
    const { ask, recurring, tenant } = await here();
    const key = { "Idempotency-Key": "digest-1" };
    const first = await must(201, ask("POST", PATH, digest, key));
    const name = `${tenant}/${first.body.recurring_id}`;
    await recurring.recurring(name).drop();
    await must(200, ask("POST", PATH, digest, key));
    expect(recurring.disk(name).alarm).toBe(Date.parse(next));
  });

  test("a dry run changes nothing", async () => {
    const { ask } = await here();
    const { body } = await must(200, ask("POST", `${PATH}?dryRun=true`, digest));
    expect(body).toMatchObject({ next_execution: next, dry_run: true });
    expect((await ask("GET", PATH)).body.recurring_actions).toEqual([]);
  });

  test.each([
    ["an invalid expression", { cron_expr: "every day" }, "/cron_expr"],
    ["an impossible date", { cron_expr: "0 0 30 2 *" }, "/cron_expr"],
    ["a past year", { cron_expr: "0 0 9 1 1 * 2020" }, "/cron_expr"],
    ["too often", { cron_expr: "*/5 * * * * *" }, "/cron_expr"],
    ["no zone", { timezone: "Mars/Olympus" }, "/timezone"],
    ["an end in the past", { ends_at: "2020-01-01T00:00:00Z" }, "/ends_at"],
    ["an end before the start", { starts_at: "2027-02-01T00:00:00Z", ends_at: "2027-01-01T00:00:00Z" }, "/ends_at"],
    ["an empty provider", { provider: "" }, "/provider"],
    ["an unknown provider", { provider: "webhok" }, "/provider"],
    ["an empty action type", { action_type: " " }, "/action_type"],
    ["no payload", { payload: undefined }, "/payload"],
    ["a payload that is not an object", { payload: [] }, "/payload"],
    ["a payload that the runner refuses", { payload: { uri: "x" } }, "/payload/url"],
    ["an unknown placeholder", { dedup_key: "{{tenant}}" }, "/dedup_key"],
    ["an unknown field", { cron: "0 9 * * *" }, "/cron"],
    ["a maximum of zero", { max_executions: 0 }, "/max_executions"],
    ["variables without a definition", { variables: {} }, "/variables"],
    ["both a definition and an action", { definition: "order" }, "/provider"],
  ])("%s is 400 with a pointer", async (_what, over, pointer) => {
    const { ask } = await here();
    const { body } = await must(400, ask("POST", PATH, { ...digest, ...over }));
    expect(body.errors.map((found: { pointer: string }) => found.pointer)).toContain(pointer);
    expect(body.error).toBeTruthy();
    expect((await ask("GET", PATH)).body.recurring_actions).toEqual([]);
  });

  test("for another tenant than the key's is 404", async () => {
    const { ask, tenant } = await here();
    await must(404, ask("POST", PATH, { ...digest, tenant: "somebody-else" }));
    await must(201, ask("POST", PATH, { ...digest, tenant }));
  });

  test("and its deletion are in the audit log, with what it did", async () => {
    const { ask } = await here();
    const { recurring_id: id } = (await must(201, ask("POST", PATH, digest))).body;
    await must(204, ask("DELETE", `${PATH}/${id}?reason=unused`));
    const { data } = (await must(200, ask("GET", `/v1/audit?target=${id}`))).body;
    const schedule = { cron: digest.cron_expr, timezone: digest.timezone, provider: digest.provider };
    const details = expect.objectContaining({ ...schedule, actionType: digest.action_type, enabled: true });
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(expect.objectContaining({ verb: "recurring.create", reason: null, details }));
    expect(data).toContainEqual(expect.objectContaining({ verb: "recurring.delete", reason: "unused", details }));
  });

  test("beyond the quota is refused, and a repeat of an earlier creation is not", async () => {
    const { ask, tenant, world, ...made } = await here();
    await must(200, made.fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurring: 1 } }));
    await must(201, ask("POST", PATH, digest, { "Idempotency-Key": "one" }));
    const { body } = await must(429, ask("POST", PATH, digest));
    expect(body).toMatchObject({ code: "quota_exceeded", details: { limit: "recurring", used: 1, max: 1 } });
    await must(200, ask("POST", PATH, digest, { "Idempotency-Key": "one" }));
    expect(world.lines.some(({ event }) => event === "recurring.create")).toBe(true);
  });

  test("more often than once a minute requires permission", async () => {
    const { ask, tenant, ...made } = await here();
    const seconds = { ...digest, cron_expr: "*/10 * * * * *" };
    await must(400, ask("POST", PATH, seconds));
    await must(200, made.fetchRoot("PATCH", `/v1/tenants/${tenant}`, { limits: { recurringPerMinute: 6 } }));
    await must(201, ask("POST", PATH, seconds));
  });
});

describe("an occurrence", () => {
  test("is a standalone action with a reference to its recurring action", async () => {
    const { create, until, cells, ask } = await here();
    const { recurring_id: id } = await create();
    await until(next);
    const [state] = cells.states();
    expect(state).toMatchObject({
      namespace: "notifications",
      correlationId: id,
      standalone: { action: { actionId: "send_digest" } },
      variables: { team: "mail", _recurring_dispatch: "true", _recurring_id: id, execution_time: next },
    });
    const found = await must(200, ask("GET", `${PATH}/${id}`));
    expect(found.body).toMatchObject({ execution_count: 1, last_executed_at: next, failed_count: 0 });
    const { body } = await must(200, ask("GET", `${PATH}/${id}/history`));
    expect(body.history).toMatchObject([
      { scheduled_for: next, outcome: "dispatched", action_id: state?.id, dispatched_at: next, error: null },
    ]);
  });

  test("of a definition starts an execution of it, and does not overlap", async () => {
    const { ask, until, cells } = await here();
    await must(201, ask("POST", "/v1/definitions", order));
    const body = { cron_expr: "0 9 * * *", definition: "order", variables: { total: 5 } };
    const { recurring_id: id } = (await must(201, ask("POST", PATH, body))).body;
    await until("2026-11-19T09:00:00Z");
    await until("2026-11-20T09:00:00Z");
    expect(cells.states()).toMatchObject([{ definition: { name: "order" }, variables: { total: 5 } }]);
    const { history } = (await ask("GET", `${PATH}/${id}/history`)).body;
    expect(history.map(({ outcome, reason }: Record<string, string>) => [outcome, reason])).toEqual([
      ["overlap", "still_running"],
      ["dispatched", null],
    ]);
    const found = (await ask("GET", `${PATH}/${id}`)).body;
    expect(found).toMatchObject({ action_template: null, definition_template: { definition: "order" } });
  });

  test("of an unknown definition is refused at creation", async () => {
    const { ask } = await here();
    const { body } = await must(400, ask("POST", PATH, { cron_expr: "0 9 * * *", definition: "nothing" }));
    expect(body.errors[0].pointer).toBe("/definition");
  });

  test("that cannot start has the reason, and the schedule continues", async () => {
    const { ask, until } = await here();
    await must(201, ask("POST", "/v1/definitions", order));
    const { recurring_id: id } = (await must(201, ask("POST", PATH, { cron_expr: "0 9 * * *", definition: "order" })))
      .body;
    await must(200, ask("POST", "/v1/definitions/order/archive", {}));
    await until("2026-11-19T09:00:00Z");
    const { history } = (await ask("GET", `${PATH}/${id}/history`)).body;
    expect(history[0]).toMatchObject({ outcome: "missed", action_id: null });
    expect(history[0].error.message).toContain("order");
    expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({ status: "active", health: { status: "failing" } });
  });
});
