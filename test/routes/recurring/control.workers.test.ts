// Recurring actions over HTTP: read, listed, updated, paused, skipped and previewed.
import { describe, expect, test } from "vitest";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";

describe("reading and listing", () => {
  test("the detail is nested, the list is flat", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const detail = (await must(200, ask("GET", `${PATH}/${id}`))).body;
    expect(detail).toMatchObject({
      id,
      namespace: "notifications",
      enabled: true,
      status: "active",
      next_execution_at: next,
      action_template: { provider: "webhook", action_type: "send_digest", payload: digest.payload, dedup_key: null },
    });
    const list = (await must(200, ask("GET", PATH))).body;
    expect(list.recurring_actions[0]).toMatchObject({
      id,
      provider: "webhook",
      action_type: "send_digest",
      execution_count: 0,
      labels: { team: "engineering" },
    });
  });

  test("filters and pages", async () => {
    const { ask, create, world } = await here();
    const ids: string[] = [];
    for (const n of [0, 1, 2]) {
      world.clock.now += 1_000;
      ids.push((await create({ namespace: `n${n}`, labels: { n: String(n) }, enabled: n !== 1 })).recurring_id);
    }
    const idsOf = async (query: string) => {
      const { recurring_actions } = (await must(200, ask("GET", `${PATH}?${query}`))).body;
      return recurring_actions.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    expect(await idsOf("")).toEqual([2, 1, 0]);
    expect(await idsOf("namespace=n1")).toEqual([1]);
    expect(await idsOf("enabled=true")).toEqual([2, 0]);
    expect(await idsOf("enabled=false")).toEqual([1]);
    expect(await idsOf("status=paused")).toEqual([1]);
    expect(await idsOf("label=n:2")).toEqual([2]);
    const first = (await must(200, ask("GET", `${PATH}?limit=2`))).body;
    const rest = (await must(200, ask("GET", `${PATH}?limit=2&cursor=${first.next_cursor}`))).body;
    expect(rest.recurring_actions).toHaveLength(1);
    await must(400, ask("GET", `${PATH}?label=n`));
  });

  test("another namespace's and a missing one are 404 with the specified body", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    await must(200, ask("GET", `${PATH}/${id}?namespace=notifications`));
    const asked = [
      ask("GET", `${PATH}/${id}?namespace=other`),
      ask("GET", `${PATH}/rec_none`),
      ask("PUT", `${PATH}/rec_none`, {}),
    ];
    const more = ["pause", "resume", "trigger", "skip"].map((verb) => ask("POST", `${PATH}/rec_none/${verb}`, {}));
    const others = ["history", "occurrences"].map((what) => ask("GET", `${PATH}/rec_none/${what}`));
    for (const answer of [...asked, ...more, ...others, ask("DELETE", `${PATH}/rec_none`)])
      expect((await must(404, answer)).body).toMatchObject({ code: "not_found", error: expect.any(String) });
  });
});

describe("changing", () => {
  test("omitted fields stay unchanged; the same expression reschedules nothing", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const body = { description: "new", cron_expr: digest.cron_expr };
    const changed = (await must(200, ask("PUT", `${PATH}/${id}`, body))).body;
    expect(changed).toMatchObject({ description: "new", next_execution_at: next, timezone: "US/Eastern" });
    const moved = (await must(200, ask("PUT", `${PATH}/${id}`, { cron_expr: "0 1 * * *" }))).body;
    expect(moved).toMatchObject({ next_execution_at: "2026-11-19T06:00:00Z", description: "new" });
    expect((await ask("GET", PATH)).body.recurring_actions[0].next_execution_at).toBe("2026-11-19T06:00:00Z");
  });

  test("`enabled` pauses and resumes", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const put = async (enabled: boolean) => (await must(200, ask("PUT", `${PATH}/${id}`, { enabled }))).body;
    expect(await put(false)).toMatchObject({ enabled: false, next_execution_at: null });
    expect(await put(true)).toMatchObject({ enabled: true, next_execution_at: next });
  });

  test("two concurrent updates both apply", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const bodies = [{ description: "one" }, { labels: { two: "2" } }, { payload: { url: "https://three.example" } }];
    await Promise.all(bodies.map((body) => must(200, ask("PUT", `${PATH}/${id}`, body))));
    expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({
      description: "one",
      labels: { two: "2" },
      action_template: { payload: { url: "https://three.example" } },
    });
  });

  test("an invalid update is refused and changes nothing", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    for (const body of [
      { cron_expr: "x" },
      { payload: {} },
      { definition: "order" },
      { namespace: "other" },
      { ends_at: "2020-01-01T00:00:00Z" },
    ])
      await must(400, ask("PUT", `${PATH}/${id}`, body));
    expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({ cron_expr: digest.cron_expr, ends_at: null });
  });

  test("a dry run returns the result and changes nothing", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const tried = await must(200, ask("PUT", `${PATH}/${id}?dryRun=true`, { cron_expr: "0 1 * * *" }));
    expect(tried.body.next_execution_at).toBe("2026-11-19T06:00:00Z");
    expect((await ask("GET", `${PATH}/${id}`)).body.next_execution_at).toBe(next);
  });
});

describe("control", () => {
  test("pause and resume return the specified response", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const paused = await must(200, ask("POST", `${PATH}/${id}/pause`, { reason: "a holiday" }));
    expect(paused.body).toEqual({ id, enabled: false, next_execution_at: null });
    const resumed = await must(200, ask("POST", `${PATH}/${id}/resume`));
    expect(resumed.body).toEqual({ id, enabled: true, next_execution_at: next });
  });

  test("every change is in the audit log, once", async () => {
    const { ask, create, until } = await here();
    const { recurring_id: id } = await create();
    await ask("POST", `${PATH}/${id}/pause`, { reason: "a holiday" });
    await ask("POST", `${PATH}/${id}/resume`);
    await ask("PUT", `${PATH}/${id}`, { description: "x" });
    await ask("POST", `${PATH}/${id}/trigger`);
    await ask("POST", `${PATH}/${id}/skip`);
    await until("2026-11-18T10:00:30Z");
    await must(204, ask("DELETE", `${PATH}/${id}?reason=done`));
    const { data } = (await ask("GET", `/v1/audit?target=${id}`)).body;
    const verbs = ["create", "pause", "resume", "update", "trigger", "skip", "delete"];
    expect(data.map(({ verb }: { verb: string }) => verb).toSorted()).toEqual(
      verbs.map((verb) => `recurring.${verb}`).toSorted(),
    );
  });

  test("a trigger returns what it started; a repeat starts nothing", async () => {
    const { ask, create, cells } = await here();
    const { recurring_id: id } = await create();
    const key = { "Idempotency-Key": "now" };
    const { body } = await must(200, ask("POST", `${PATH}/${id}/trigger`, undefined, key));
    expect(body).toMatchObject({ occurrence: { scheduled_for: null, outcome: "dispatched" }, next_execution_at: next });
    expect(body.occurrence.action_id).toBe(cells.states()[0]?.id);
    const again = await must(200, ask("POST", `${PATH}/${id}/trigger`, undefined, key));
    expect(again.body).toEqual({ ...body, repeated: true });
    expect(cells.states()).toHaveLength(1);
    await must(422, ask("POST", `${PATH}/${id}/skip`, {}, key));
    expect((await ask("GET", `${PATH}/${id}`)).body.execution_count).toBe(0);
  });

  test("skip omits one occurrence and lists it as skipped", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    const { body } = await must(200, ask("POST", `${PATH}/${id}/skip`, { occurrence: "2026-11-19T14:00:00Z" }));
    expect(body).toMatchObject({ occurrence: { outcome: "excluded" }, next_execution_at: next });
    const { occurrences } = (await ask("GET", `${PATH}/${id}/occurrences?count=3`)).body;
    expect(occurrences.map(({ skipped }: { skipped: boolean }) => skipped)).toEqual([false, true, false]);
    await must(400, ask("POST", `${PATH}/${id}/skip`, { occurrence: "2026-11-19T15:00:00Z" }));
  });

  test("a dry run sends nothing", async () => {
    const { ask, create, cells } = await here();
    const { recurring_id: id } = await create();
    const { body } = await must(200, ask("POST", `${PATH}/${id}/trigger?dryRun=true`));
    expect(body).toMatchObject({ dry_run: true, occurrence: { outcome: "dispatched" } });
    expect(cells.states()).toEqual([]);
  });

  test("delete removes it completely, and is 404 the second time", async () => {
    const { ask, create, recurring, tenant } = await here();
    const { recurring_id: id } = await create();
    const gone = await must(204, ask("DELETE", `${PATH}/${id}`));
    expect(gone.body).toBe("");
    expect(recurring.disk(`${tenant}/${id}`)).toMatchObject({ state: null, alarm: null });
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/history`]) await must(404, ask("GET", path));
    await must(404, ask("DELETE", `${PATH}/${id}`));
  });
});

describe("coming occurrences", () => {
  test("between two instants, across a clock change", async () => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create({ cron_expr: "30 2 * * *", timezone: "Europe/Zurich" });
    const query = "from=2027-03-27T00:00:00Z&to=2027-03-30T00:00:00Z";
    const { body } = await must(200, ask("GET", `${PATH}/${id}/occurrences?${query}`));
    expect(body).toMatchObject({ timezone: "Europe/Zurich", has_more: false });
    expect(body.occurrences.map(({ local, dst }: Record<string, string>) => [local, dst])).toEqual([
      ["2027-03-27T02:30:00", "none"],
      ["2027-03-28T03:30:00", "gap"],
      ["2027-03-29T02:30:00", "none"],
    ]);
  });

  test.each(["count=0", "count=1000", "count=x", "from=yesterday"])("%s is 400", async (query) => {
    const { ask, create } = await here();
    const { recurring_id: id } = await create();
    await must(400, ask("GET", `${PATH}/${id}/occurrences?${query}`));
  });
});

describe("without recurrence", () => {
  test("an installation with recurrence off refuses new ones and skips due occurrences", async () => {
    const { ask, create, until, recurring, world } = await here();
    const { recurring_id: id } = await create();
    recurring.isOff = true;
    await until(next);
    const { history } = (await ask("GET", `${PATH}/${id}/history`)).body;
    expect(history).toMatchObject([{ outcome: "excluded", reason: "switched_off" }]);
    const off = api({ isRecurringOn: false });
    const owner = await tenantWithKey(off);
    const { body } = await must(501, off.ask("POST", PATH, { key: owner.key, body: digest }));
    expect(body.error).toContain("ENABLE_RECURRING_ACTIONS");
    expect(world.lines.some(({ level }) => level === "error")).toBe(false);
  });

  test("a suspended tenant's occurrences are recorded as missed", async () => {
    const { ask, create, until, fetchRoot, tenant } = await here();
    const { recurring_id: id } = await create();
    await must(200, fetchRoot("POST", `/v1/tenants/${tenant}/suspend`, { reason: "unpaid" }));
    await until(next);
    const { history } = (await ask("GET", `${PATH}/${id}/history`)).body;
    expect(history).toMatchObject([{ outcome: "missed", reason: "tenant_suspended" }]);
    expect((await ask("GET", `${PATH}/${id}`)).body).toMatchObject({ status: "active", failed_count: 1 });
  });
});
