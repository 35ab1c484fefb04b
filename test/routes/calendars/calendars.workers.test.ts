// Calendars over HTTP: stored, pinned into definitions, and renewed when a definition is published again.
import { describe, expect, test } from "vitest";
import holidays from "../../../examples/holidays.ics?raw";
import { api, must, tenantWithKey } from "#test/support/api.ts";

const dates = [{ date: "2026-12-25", name: "Christmas" }, "2026-12-26"];

async function here() {
  const made = api();
  const { key } = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { key, ...(body === undefined ? {} : { body }) });
  return { ask };
}

const holiday = (move: string, calendar = "ch") => ({
  kind: "machine",
  name: "reminder",
  initial: "open",
  delays: { due: { offset: "P3D", at: "10:00", holidays: { calendar, move } } },
  states: { open: { on: { done: "closed" } }, closed: { type: "final" } },
  actions: [
    { actionId: "remind", type: "webhook", config: { url: "https://example.com" }, triggerState: "open", delay: "due" },
  ],
});

test("are created, read with an ETag, replaced, listed and deleted", async () => {
  const { ask } = await here();
  const made = await must(201, ask("PUT", "/v1/calendars/ch", { dates: ["2026-12-26", dates[0], "2026-12-26"] }));
  expect(made.body).toMatchObject({ name: "ch", result: "created", usedBy: [], description: null });
  expect(made.body.dates).toEqual([dates[0], { date: "2026-12-26", name: null }]);
  const read = await must(200, ask("GET", "/v1/calendars/ch"));
  expect([read.headers.get("ETag") !== null, read.body.dates.length]).toEqual([true, 2]);
  expect((await must(200, ask("PUT", "/v1/calendars/ch", { dates }))).body.result).toBe("unchanged");
  const ics = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20270101\nEND:VEVENT\nEND:VCALENDAR";
  const changed = await must(200, ask("PUT", "/v1/calendars/ch", { description: "Swiss", ics }));
  expect(changed.body).toMatchObject({ result: "changed", description: "Swiss", dates: [{ date: "2027-01-01" }] });
  expect((await must(200, ask("PUT", "/v1/calendars/ch", { description: "Swiss", ics }))).body.result).toBe(
    "unchanged",
  );
  expect((await must(200, ask("GET", "/v1/calendars"))).body.data).toHaveLength(1);
  expect((await must(200, ask("GET", "/v1/audit?verb=calendar.create"))).body.data).toHaveLength(1);
  await must(200, ask("DELETE", "/v1/calendars/ch"));
  await must(404, ask("GET", "/v1/calendars/ch"));
});

describe("refused", () => {
  test.each([
    [{}, ""],
    [{ dates: [], ics: "x" }, ""],
    [{ dates: ["2026-02-30"] }, "/dates/0"],
    [{ dates: [{ date: "2026-12-25", nmae: "x" }] }, "/dates/0/nmae"],
    [{ ics: "hello" }, "/ics"],
  ])("%j", async (body, pointer) => {
    const { ask } = await here();
    const refused = await must(400, ask("PUT", "/v1/calendars/ch", body));
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([pointer]);
    expect((await must(200, ask("GET", "/v1/calendars"))).body.data).toEqual([]);
  });
});

test("a definition keeps the dates of its publication, and gets new ones when it is published again", async () => {
  const { ask } = await here();
  const unknown = await must(422, ask("POST", "/v1/definitions", holiday("after")));
  expect(unknown.body.errors).toMatchObject([{ pointer: "/delays/due/holidays/calendar", code: "unknown_calendar" }]);
  await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
  const near = await must(422, ask("POST", "/v1/definitions", holiday("after", "hc")));
  expect(near.body.errors[0].hint).toContain('"ch"');
  await must(201, ask("POST", "/v1/definitions", holiday("after")));
  const stored = await must(200, ask("GET", "/v1/definitions/reminder"));
  expect(stored.body.body.calendars).toEqual({ ch: ["2026-12-25", "2026-12-26"] });
  const changed = await must(200, ask("PUT", "/v1/calendars/ch", { dates: ["2026-12-24"] }));
  expect(changed.body.usedBy).toEqual([{ definition: "reminder", version: 1, dates: "pinned" }]);
  const again = await must(200, ask("PUT", "/v1/definitions/reminder", holiday("after")));
  expect(again.body.definition).toMatchObject({ version: 2 });
  const exported = await must(200, ask("GET", "/v1/export"));
  expect(exported.body.calendars).toEqual([{ name: "ch", dates: ["2026-12-24"] }]);
  expect(exported.body.definitions[0]).not.toHaveProperty("calendars");
});

test("is used by the versions to which names of definitions resolve", async () => {
  const { ask } = await here();
  await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
  await must(201, ask("POST", "/v1/definitions?draft=true", holiday("after")));
  await must(200, ask("DELETE", "/v1/calendars/ch?dryRun=true"));
  await must(200, ask("POST", "/v1/definitions/reminder@1/publish"));
  const refused = await must(409, ask("DELETE", "/v1/calendars/ch"));
  const usedBy = [{ definition: "reminder", version: 1, dates: "pinned" }];
  expect(refused.body).toMatchObject({ code: "in_use", details: { usedBy } });
  const { delays: _delays, actions: _actions, ...without } = holiday("after");
  await must(200, ask("PUT", "/v1/definitions/reminder", without));
  await must(200, ask("DELETE", "/v1/calendars/ch"));
});

test.each([
  ["before", "2026-12-24T10:00:00.000Z"],
  ["after", "2026-12-27T10:00:00.000Z"],
])("a preview shows the day: %s", async (move, at) => {
  const { ask } = await here();
  await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
  await must(201, ask("POST", "/v1/definitions", holiday(move)));
  const preview = await must(
    200,
    ask("POST", "/v1/definitions/reminder/preview", { subjects: [{ id: "ada" }], startAt: "2026-12-22T12:00:00Z" }),
  );
  expect(preview.body.rows).toMatchObject([{ action: "remind", at, status: "ok" }]);
});

test("a preview shows that the action is skipped, and validation warns of a calendar that ends", async () => {
  const { ask } = await here();
  await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
  await must(201, ask("POST", "/v1/definitions", holiday("skip")));
  const preview = await must(
    200,
    ask("POST", "/v1/definitions/reminder/preview", { subjects: [{ id: "ada" }], startAt: "2026-12-22T12:00:00Z" }),
  );
  expect(preview.body.rows).toMatchObject([{ action: "remind", status: "skipped", reason: "holiday" }]);
  const checked = await must(200, ask("POST", "/v1/definitions/validate", holiday("skip")));
  expect(checked.body.warnings).toContainEqual(expect.objectContaining({ code: "calendar_ends" }));
});

describe("a standalone action", () => {
  const alone = (move: string, calendar = "ch") => ({
    type: "webhook",
    config: { url: "https://example.com" },
    delay: { anchor: "2026-12-25T10:00:00Z", holidays: { calendar, move } },
  });

  test.each([
    ["before", { status: "scheduled", dueAt: "2026-12-24T10:00:00.000Z" }],
    ["after", { status: "scheduled", dueAt: "2026-12-27T10:00:00.000Z" }],
    ["skip", { status: "skipped", reason: "holiday" }],
  ])("whose delay ends on a holiday: %s", async (move, expected) => {
    const { ask } = await here();
    await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
    expect((await must(201, ask("POST", "/v1/actions", alone(move)))).body.action).toMatchObject(expected);
  });

  test("waits for a window that excludes the dates", async () => {
    const { ask } = await here();
    await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
    const window = { from: "08:00", to: "18:00", except: "ch" };
    const { body } = await must(
      201,
      ask("POST", "/v1/actions", { ...alone("skip"), delay: { anchor: "2026-12-25T10:00:00Z" }, window }),
    );
    expect(body.action).toMatchObject({ dueAt: "2026-12-25T10:00:00.000Z" });
  });

  test("refuses an unknown calendar", async () => {
    const { ask } = await here();
    await must(201, ask("PUT", "/v1/calendars/ch", { dates }));
    const refused = await must(422, ask("POST", "/v1/actions", alone("skip", "hc")));
    expect(refused.body.errors).toMatchObject([{ pointer: "/delay/holidays/calendar", code: "unknown_calendar" }]);
    expect(refused.body.errors[0].hint).toContain('"ch"');
  });
});

describe("a text/calendar body", () => {
  const put = async (raw: BodyInit, type: string) => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const headers = { "Content-Type": type };
    const answered = await made.ask("PUT", "/v1/calendars/ch", { key, raw, headers });
    return { ...answered, ask: (path: string) => made.ask("GET", path, { key }) };
  };

  test.each(["text/calendar", "Text/Calendar; charset=utf-8"])("is stored as dates: %s", async (type) => {
    const { body, status, ask } = await put(holidays, type);
    expect([status, body.result, body.dates.length]).toEqual([201, "created", 17]);
    expect(body.dates).toContainEqual({ date: "2027-01-02", name: "New Year and Berchtoldstag" });
    expect((await must(200, ask("/v1/export"))).body.calendars[0].dates).toHaveLength(17);
  });

  test.each<[string, BodyInit, number, object]>([
    ["is no calendar", "hello", 400, { errors: [{ pointer: "/ics" }] }],
    ["is empty", "", 400, { errors: [{ pointer: "/ics" }] }],
    ["is too long", holidays + "\n".repeat(200_000), 400, { errors: [{ pointer: "/ics" }] }],
    ["is larger than a body", "x".repeat(1_100_000), 413, { code: "body_too_large" }],
    ["is no UTF-8", new Uint8Array([0xff, 0xfe]), 400, { errors: [{ code: "text_not_unicode" }] }],
    ["has a nul", `${holidays}\u0000`, 400, {}],
  ])("is refused if it %s, and changes nothing", async (_what, raw, expected, problem) => {
    const { status, body, ask } = await put(raw, "text/calendar");
    expect([status, body]).toMatchObject([expected, problem]);
    expect((await must(200, ask("/v1/calendars"))).body.data).toEqual([]);
  });

  test("is accepted by this endpoint only", async () => {
    expect((await put(holidays, "text/plain")).status).toBe(415);
    const made = api();
    const { key } = await tenantWithKey(made);
    const headers = { "Content-Type": "text/calendar" };
    await must(415, made.ask("PUT", "/v1/policies/quiet", { key, raw: holidays, headers }));
  });
});
