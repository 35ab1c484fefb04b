// Holidays of recurring actions over HTTP: stored, shown in previews, followed when the calendar changes, and validated.
import { describe, expect, test } from "vitest";
import { openCalendars } from "#catalog/calendars/followed-calendars.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { findRecurring, putRecurring as putRow } from "#catalog/recurring.ts";
import type { RecurringRow } from "#schema/recurring/row.ts";
import { maintainCalendars } from "#services/calendars/follow-calendars.ts";
import { must } from "#test/support/api.ts";
import { projection } from "#test/support/catalog.ts";
import { digest, here, PATH } from "./tester.ts";

const dates = [{ date: "2026-11-25", name: "Closed" }, "2026-11-26"];
const over = (move: string, calendar = "sn") => ({ timezone: "UTC", holidays: { calendar, move } });

async function office() {
  const made = await here();
  await must(201, made.ask("PUT", "/v1/calendars/sn", { dates }));
  const upcoming = async (id: string) => (await must(200, made.ask("GET", `${PATH}/${id}`))).body.upcoming;
  const deps = { ...made.world, recurring: (which: string) => made.recurring.recurring(which) };
  return { ...made, upcoming, sweep: () => maintainCalendars(deps) };
}

describe("an occurrence on a holiday", () => {
  // The clock of the test starts on Wednesday, 18 November 2026.
  test.each([
    ["before", "2026-11-24T09:00:00Z", "2026-11-25"],
    ["after", "2026-11-27T09:00:00Z", "2026-11-25"],
    ["skip", "2026-12-02T09:00:00Z", null],
  ])("%s", async (move, at, moved_from) => {
    const { ask, create, until } = await office();
    const { recurring_id: id, upcoming } = await create({ ...over(move), cron_expr: "0 9 * * WED" });
    expect(upcoming[0]).toMatchObject({ at, moved_from });
    const read = await must(200, ask("GET", `${PATH}/${id}`));
    expect(read.body).toMatchObject({ holidays: { calendar: "sn", move }, next_execution_at: at });
    const previewed = await must(200, ask("GET", `${PATH}/${id}/occurrences?count=1`));
    expect(previewed.body.occurrences).toMatchObject([{ at, moved_from }]);
    await until(at);
    const { history } = (await must(200, ask("GET", `${PATH}/${id}/history`))).body;
    expect(history).toMatchObject([{ scheduled_for: at, outcome: "dispatched" }]);
  });
});

test("a window that excludes dates holds the started action until its next opening", async () => {
  const { ask, create, until } = await office();
  const window = { from: "08:00", to: "18:00", except: "sn" };
  const { recurring_id: id, upcoming } = await create({ timezone: "UTC", cron_expr: "0 9 * * WED", window });
  expect(upcoming[0]).toMatchObject({ at: "2026-11-25T09:00:00Z", runs_at: "2026-11-27T08:00:00Z" });
  await until("2026-11-25T09:00:00Z");
  const [row] = (await must(200, ask("GET", `${PATH}/${id}/history`))).body.history;
  const action = await must(200, ask("GET", `/v1/actions/${row.action_id}`));
  expect(action.body.held).toMatchObject({ until: "2026-11-27T08:00:00.000Z" });
});

describe("a change of the calendar", () => {
  test("reaches the recurring actions, and its answer lists all users", async () => {
    const { ask, create, upcoming } = await office();
    const { recurring_id: id } = await create({ ...over("after"), name: "digest", cron_expr: "0 9 25 11 *" });
    const definition = {
      kind: "machine",
      name: "reminder",
      initial: "open",
      delays: { due: { offset: "P3D", holidays: { calendar: "sn", move: "after" } } },
      states: { open: { after: { due: "closed" } }, closed: { type: "final" } },
    };
    await must(201, ask("POST", "/v1/definitions", definition));
    expect((await upcoming(id))[0].at).toBe("2026-11-27T09:00:00Z");
    const changed = await must(200, ask("PUT", "/v1/calendars/sn", { dates: ["2026-11-25"] }));
    expect(changed.body.usedBy).toEqual([
      { definition: "reminder", version: 1, dates: "pinned" },
      { recurring: id, name: "digest", dates: "followed" },
    ]);
    expect((await upcoming(id))[0].at).toBe("2026-11-26T09:00:00Z");
    expect((await must(200, ask("GET", "/v1/audit?verb=recurring.follow"))).body.data).toHaveLength(1);
    // The settings of the recurring action are the same, so its tag is, too.
    const put = { ...(await must(200, ask("GET", "/v1/export"))).body.recurring[0] };
    expect((await must(200, ask("PUT", `${PATH}/digest`, put))).body.result).toBe("unchanged");
  });

  test("that cannot reach a recurring action is sent by the sweep", async () => {
    const { ask, create, upcoming, recurring, tenant, sweep } = await office();
    const { recurring_id: id } = await create({ ...over("after"), cron_expr: "0 9 25 11 *" });
    const controller = recurring.controller(`${tenant}/${id}`);
    const { control } = controller;
    controller.control = async () => {
      throw new Error("the object is being moved");
    };
    const changed = await must(200, ask("PUT", "/v1/calendars/sn", { dates: [] }));
    expect(changed.body.usedBy).toEqual([{ recurring: id, name: null, dates: "pending" }]);
    expect(await sweep()).toEqual({ datesSent: 0 });
    controller.control = control;
    expect(await sweep()).toEqual({ datesSent: 1 });
    expect((await upcoming(id))[0].at).toBe("2026-11-25T09:00:00Z");
    expect(await sweep()).toEqual({ datesSent: 0 });
  });

  test("reaches an object that has lost its data", async () => {
    const { ask, create, upcoming, recurring, tenant, sweep } = await office();
    const { recurring_id: id } = await create({ ...over("after"), cron_expr: "0 9 25 11 *" });
    await recurring.recurring(`${tenant}/${id}`).drop();
    await must(200, ask("PUT", "/v1/calendars/sn", { dates: [] }));
    expect((await upcoming(id))[0].at).toBe("2026-11-25T09:00:00Z");
    await sweep();
    expect(await sweep()).toEqual({ datesSent: 0 });
  });

  test.each(["a request", "a projection"])(
    "that was closed before the row arrived with %s is opened again",
    async (way) => {
      const { create, tenant, world, sweep } = await office();
      const { recurring_id: id } = await create({ ...over("after"), cron_expr: "0 9 25 11 *" });
      const open = async () => (await openCalendars(world.db, 99)).filter((each) => each.tenant === tenant);
      await sweep();
      const row = await findRecurring(world.db, tenant, id);
      expect([row?.calendars, await open()]).toEqual([{ sn: expect.any(Number) }, []]);
      // A change of the calendar was closed while this row was on its way.
      const late = { ...row, seq: 99, calendars: { sn: 1 } } as RecurringRow;
      if (way === "a request") await putRow(world.db, late, null);
      else await applyProjections(world.db, [projection({ recurring: [late] })]);
      expect(await open()).toMatchObject([{ name: "sn" }]);
    },
  );

  test("as a dry run changes nothing", async () => {
    const { ask, create, upcoming } = await office();
    const { recurring_id: id } = await create({ ...over("after"), cron_expr: "0 9 25 11 *" });
    const dry = await must(200, ask("PUT", "/v1/calendars/sn?dryRun=true", { dates: [] }));
    expect(dry.body.usedBy).toMatchObject([{ recurring: id }]);
    expect((await upcoming(id))[0].at).toBe("2026-11-27T09:00:00Z");
  });
});

test("an update adds, changes and removes holidays", async () => {
  const { ask, create, upcoming } = await office();
  const { recurring_id: id } = await create({ timezone: "UTC", cron_expr: "0 9 25 11 *" });
  const update = async (holidays: object | null) => {
    await must(200, ask("PUT", `${PATH}/${id}`, { holidays }));
    return (await upcoming(id))[0].at;
  };
  expect(await update({ calendar: "sn", move: "after" })).toBe("2026-11-27T09:00:00Z");
  await must(200, ask("PUT", `${PATH}/${id}`, { description: "the same holidays" }));
  expect(await update({ calendar: "sn", move: "skip" })).toBe("2027-11-25T09:00:00Z");
  await must(409, ask("DELETE", "/v1/calendars/sn"));
  expect(await update(null)).toBe("2026-11-25T09:00:00Z");
  await must(200, ask("DELETE", "/v1/calendars/sn"));
});

test("export and apply know the holidays", async () => {
  const { ask, create } = await office();
  await create({ ...over("before"), name: "digest" });
  const exported = (await must(200, ask("GET", "/v1/export"))).body;
  expect(exported.recurring).toMatchObject([{ name: "digest", holidays: { calendar: "sn", move: "before" } }]);
  expect(exported.recurring[0]).not.toHaveProperty("calendars");
  const applied = await must(200, ask("POST", "/v1/apply", exported));
  expect(applied.body.counts).toMatchObject({ change: 0, conflict: 0 });
  const pruned = await ask("POST", "/v1/apply?prune=true&dryRun=true", { ...exported, calendars: [] });
  expect(JSON.stringify(pruned.body)).toContain("in_use");
});

describe("refused", () => {
  test.each([
    [over("after", "sm"), "/holidays/calendar"],
    [{ window: { from: "08:00", to: "18:00", except: ["sn", "sm"] } }, "/window/except/1"],
  ])("an unknown calendar: %j", async (fields, pointer) => {
    const { ask, create } = await office();
    const { recurring_id: id } = await create({ name: "known" });
    const created = await must(400, ask("POST", PATH, { ...digest, ...fields }));
    expect(created.body.errors).toMatchObject([{ pointer, code: "unknown_calendar" }]);
    expect(created.body.errors[0].hint).toContain('"sn"');
    const changed = await must(400, ask("PUT", `${PATH}/${id}`, fields));
    expect(changed.body.errors).toMatchObject([{ pointer, code: "unknown_calendar" }]);
    const put = await must(400, ask("PUT", `${PATH}/known`, { ...digest, ...fields }));
    expect(put.body.errors).toMatchObject([{ pointer, code: "unknown_calendar" }]);
  });

  test("the deletion of a calendar in use, with its users", async () => {
    const { ask, create } = await office();
    const { recurring_id: id } = await create({ ...over("skip"), name: "digest" });
    const refused = await must(409, ask("DELETE", "/v1/calendars/sn"));
    expect(refused.body).toMatchObject({
      code: "in_use",
      details: { usedBy: [{ recurring: id, name: "digest", dates: "followed" }] },
    });
    await must(204, ask("DELETE", `${PATH}/${id}`));
    await must(200, ask("DELETE", "/v1/calendars/sn"));
  });
});
