// Previews of definitions over HTTP.
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { api, must, tenantWithKey, type Ask } from "#test/support/api.ts";
import { PREVIEW_SUBJECTS_MAX } from "#schema/limits/planning/previews.ts";
import { keyedRuns } from "#test/sim/key-limits/keyed-runs.ts";
import { naming } from "#test/support/matchers/naming.ts";

/** An invoice: sent, with a reminder on a morning in Zurich before the due date, until it is paid. */
const invoice = {
  kind: "machine",
  name: "invoice",
  timezone: "Europe/Zurich",
  initial: "asked",
  delays: { reminder: { anchor: { var: "execution.variables.dueDate" }, offset: "-P3D", at: "09:00", ifPast: "skip" } },
  states: {
    asked: { on: { paid: "done" }, after: { P30D: "late" } },
    late: { on: { paid: "done" } },
    done: { type: "final" },
  },
  actions: [
    {
      actionId: "remind",
      type: "webhook",
      triggerState: "asked",
      delay: "reminder",
      config: { url: "https://example.com/{{ execution.variables.name }}", key: "{{ secrets.crm_key }}" },
    },
    { actionId: "thank", type: "webhook", triggerState: "done", config: { url: "https://example.com" } },
  ],
};
const startAt = "2026-03-10T10:00:00Z";
const subjects = [
  { id: "ada", variables: { dueDate: "2026-04-02", name: "ada" } },
  { id: "bob", variables: { dueDate: "2026-03-12", name: "bob" } },
  { id: "eve", variables: { name: "eve" } },
];
const asked = { subjects, startAt };

async function keeper(...over: Parameters<typeof api>) {
  const made = api(...over);
  const owner = await tenantWithKey(made);
  const ask = (path: string, body: unknown, more: Ask = {}) =>
    made.ask("POST", path, { key: owner.key, body, ...more });
  await must(201, ask("/v1/definitions", invoice));
  return {
    ...made,
    ...owner,
    ask,
    preview: (body: unknown, query = "") => ask(`/v1/definitions/invoice/preview${query}`, body),
  };
}

type Row = { readonly [field: string]: unknown };
const brief = ({ subject, action, at, local, status, reason }: Row) => [subject, action, at ?? local, status, reason];

describe("a preview", () => {
  test("lists all subjects' actions by instant, with local time, undated ones last", async () => {
    const { preview } = await keeper();
    const { body } = await must(200, preview({ ...asked, given: [{ at: "P25D", event: "paid" }] }));
    expect(body.rows.map(brief)).toEqual([
      ["bob", "remind", "2026-03-10T10:00:00.000Z", "skipped", "already_past"],
      ["ada", "remind", "2026-03-30T07:00:00.000Z", "ok", null],
      ["ada", "thank", "2026-04-04T10:00:00.000Z", "ok", null],
      ["bob", "thank", "2026-04-04T10:00:00.000Z", "ok", null],
      ["eve", "thank", "2026-04-04T10:00:00.000Z", "ok", null],
    ]);
    expect(body.rows[1]).toMatchObject({
      local: "2026-03-30T09:00:00",
      utcOffset: "+02:00",
      timezone: "Europe/Zurich",
      dst: "none",
      plannedAt: "2026-03-30T07:00:00.000Z",
      heldBy: null,
      isSure: true,
      assumes: [],
      nth: 1,
      place: "asked",
    });
    expect(body.rows[2]).toMatchObject({ isSure: false, assumes: [naming("paid")] });
    expect(body).toMatchObject({
      definition: "invoice@1",
      subjects: 3,
      left: 0,
      counts: { ok: 4, skipped: 1 },
      ends: [],
    });
    const open = await must(200, preview({ ...asked, until: "2026-03-20T00:00:00Z" }));
    expect(open.body.rows.map(brief)).toEqual([
      ["bob", "remind", "2026-03-10T10:00:00.000Z", "skipped", "already_past"],
      ["eve", "remind", null, "scheduled", null],
    ]);
  });

  test("writes and starts nothing, and needs only the scope read", async () => {
    const { world, tenant, ask } = await keeper();
    const made = await must(
      201,
      api({ db: world.db }).ask("POST", "/v1/keys", {
        body: { name: "r", scopes: ["read"] },
        headers: { "X-Tenant": tenant },
      }),
    );
    const rows = async () => (await world.db.run(sql`SELECT count(*) AS n FROM audit`)).results;
    const before = await rows();
    await must(200, ask("/v1/definitions/invoice/preview", asked, { key: made.body.secret }));
    expect(await rows()).toEqual(before);
  });

  test("shows contents on request, with secret names instead of values", async () => {
    const { preview } = await keeper();
    const { body } = await must(200, preview({ ...asked, contents: true }));
    expect(body.rows.find(({ subject }: Row) => subject === "ada").config).toEqual({
      url: "https://example.com/ada",
      key: { $secret: [{ name: "crm_key" }] },
    });
    const without = await must(200, preview(asked));
    expect(without.body.rows[0]).not.toHaveProperty("config");
  });

  test("starts at each subject's start, and omits actions before `from`", async () => {
    const { preview } = await keeper();
    const own = [{ id: "a", startAt: "2026-03-01T00:00:00Z", given: [{ at: "P1D", event: "paid" }] }, { id: "b" }];
    const given = [{ at: "P5D", event: "paid" }];
    const all = await must(200, preview({ subjects: own, startAt, given }));
    expect(all.body.rows.map(brief)).toEqual([
      ["a", "thank", "2026-03-02T00:00:00.000Z", "ok", null],
      ["b", "thank", "2026-03-15T10:00:00.000Z", "ok", null],
    ]);
    expect(all.body.ends).toMatchObject([
      { subject: "a", notTaken: [{ what: "paid", code: "execution_final", at: "2026-03-06T00:00:00.000Z" }] },
    ]);
    const late = await must(200, preview({ subjects: own, startAt, given, from: "2026-03-10T00:00:00Z" }));
    expect(late.body.rows.map(brief)).toHaveLength(1);
  });

  test("reports subjects that cannot start, with the reason, and continues with the others", async () => {
    const { ask } = await keeper();
    const strict = { ...invoice, input: { type: "object", required: ["dueDate"] } };
    const { body } = await must(200, ask("/v1/definitions/preview", { definition: strict, ...asked }));
    expect(body.ends).toMatchObject([{ subject: "eve", refused: { code: "variables_invalid" }, status: null }]);
    expect([body.definition, body.subjects, body.rows.length]).toEqual(["invoice", 3, 2]);
  });

  test("is CSV or iCalendar by Accept or `format`, streamed", async () => {
    const { ask, preview } = await keeper();
    const csv = await must(200, ask("/v1/definitions/invoice/preview", asked, { headers: { Accept: "text/csv" } }));
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(csv.body.split("\r\n")).toHaveLength(4);
    const ics = await must(200, preview(asked, "?format=ics"));
    expect(ics.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
    expect(ics.body.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(ics.body).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
    const headers = { Accept: "text/csv;q=0.9, application/json" };
    expect(
      (await must(200, ask("/v1/definitions/invoice/preview?format=json", asked, { headers }))).body.rows,
    ).toHaveLength(2);
    const any = await must(200, ask("/v1/definitions/invoice/preview", asked, { headers: { Accept: "*/*" } }));
    expect(any.headers.get("Content-Type")).toBe("application/json");
  });

  test("of many subjects is streamed completely", async () => {
    const { preview } = await keeper();
    const many = Array.from({ length: 1_000 }, (_, n) => ({
      id: `s${n}`,
      variables: { dueDate: "2026-04-02", name: `${n}` },
    }));
    const { body } = await must(200, preview({ subjects: many, startAt }));
    expect([body.rows.length, body.counts, body.left]).toEqual([1_000, { ok: 1_000 }, 0]);
  });
});

describe("a comparison", () => {
  test("lists added, removed and moved actions, and counts the others", async () => {
    const { preview } = await keeper();
    const { body } = await must(200, preview({ ...asked, compare: { variables: { dueDate: "2026-04-10" } } }));
    expect(body.changes.map(({ change, from, ...row }: Row) => [change, from, ...brief(row).slice(0, 3)])).toEqual([
      ["moved", "2026-03-30T07:00:00.000Z", "ada", "remind", "2026-04-07T07:00:00.000Z"],
      ["added", null, "bob", "remind", "2026-04-07T07:00:00.000Z"],
      ["added", null, "eve", "remind", "2026-04-07T07:00:00.000Z"],
    ]);
    expect([body.counts, body.rows]).toEqual([{ unchanged: 0, moved: 1, added: 2 }, undefined]);
  });

  test("accepts another version, definition, events or outcomes", async () => {
    const { ask, preview } = await keeper();
    const later = { ...invoice, delays: { reminder: { ...invoice.delays.reminder, at: "10:00" } } };
    await must(201, ask("/v1/definitions", later));
    const changesOf = async (compare: object) => {
      const path = "/v1/definitions/invoice@1/preview";
      const { body } = await must(200, ask(path, { ...asked, given: [{ at: "P25D", event: "paid" }], compare }));
      return body.changes.map(({ change, subject, action }: Row) => `${change} ${subject} ${action}`);
    };
    expect(await changesOf({ definition: "invoice@2" })).toEqual(["moved ada remind"]);
    expect(await changesOf({ definition: later })).toEqual(["moved ada remind"]);
    expect(await changesOf({ given: [{ at: "P1D", event: "paid" }] })).toEqual([
      ...["ada", "bob", "eve"].map((id) => `moved ${id} thank`),
      "removed ada remind",
    ]);
    expect(await changesOf({ assume: { actions: { "*": { outcome: "failed" } } } })).toEqual([]);
    const csv = await must(200, preview({ ...asked, compare: { variables: { dueDate: null } } }, "?format=csv"));
    expect(csv.body.split("\r\n")[1]).toMatch(/^removed,2026-03-30T08:00:00.000Z,ada,/);
  });
});

describe("an invalid request is refused with pointers", () => {
  const refused = async (body: unknown, query = "") => {
    const { preview } = await keeper();
    const answer = await preview(body, query);
    return [answer.status, ...answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)];
  };

  test("names that the definition does not have", async () => {
    expect(await refused({ ...asked, assume: { actions: { remnd: {} } } })).toEqual([400, "/assume/actions/remnd"]);
    expect(await refused({ ...asked, assume: { branches: { asked: "done" } } })).toEqual([
      400,
      "/assume/branches/asked",
    ]);
    const given = [{ at: { reached: "askd" }, event: "paid" }];
    expect(await refused({ ...asked, given })).toEqual([400, "/given/0/at/reached"]);
    expect(await refused({ subjects: [{ given }] })).toEqual([400, "/subjects/0/given/0/at/reached"]);
    expect(await refused({ ...asked, compare: { given, assume: { actions: { x: {} } } } })).toEqual([
      400,
      "/compare/assume/actions/x",
      "/compare/given/0/at/reached",
    ]);
  });

  test("fields, ranges and counts", async () => {
    expect(await refused({ ...asked, untl: startAt })).toEqual([400, "/untl"]);
    expect(await refused({ subjects: [] })).toEqual([400, "/subjects"]);
    expect(await refused({ subjects: Array.from({ length: PREVIEW_SUBJECTS_MAX + 1 }, () => ({})) })).toEqual([
      400,
      "/subjects",
    ]);
    expect(await refused({ subjects: [{ id: "a" }, { id: "a" }] })).toEqual([400, "/subjects/1/id"]);
    expect(await refused({ ...asked, until: "2026-03-01T00:00:00Z" })).toEqual([400, "/until"]);
    expect(await refused({ ...asked, given: [{ at: "P1D" }] })).toEqual([400, "/given/0"]);
    expect(await refused({ ...asked, given: [{ at: "P1D", pause: true, payload: 1 }] })).toEqual([
      400,
      "/given/0/payload",
    ]);
    expect(await refused({ ...asked, compare: {} })).toEqual([400, "/compare"]);
    expect(await refused({ ...asked, compare: { variables: {} } }, "?format=ics")).toEqual([400, "?format"]);
    expect(await refused(asked, "?format=xml")).toEqual([400, "?format"]);
  });

  test("an invalid or missing definition", async () => {
    const { ask } = await keeper();
    const wrong = { ...invoice, initial: "nowhere" };
    const inline = await must(422, ask("/v1/definitions/preview", { definition: wrong, ...asked }));
    expect(inline.body).toMatchObject({ code: "definition_invalid", errors: [{ pointer: "/definition/initial" }] });
    const other = await must(422, ask("/v1/definitions/invoice/preview", { ...asked, compare: { definition: wrong } }));
    expect(other.body.errors[0].pointer).toBe("/compare/definition/initial");
    await must(404, ask("/v1/definitions/nothing/preview", asked));
  });
});

test("a preview foretells the order in which runs of the same keys start, and the instants", async () => {
  const made = api();
  const { key } = await tenantWithKey(made);
  const { definition, runs, tookMs } = keyedRuns;
  await must(201, made.ask("POST", "/v1/definitions", { key, body: definition }));
  const begin = Date.parse(startAt);
  const keyed = runs.map(({ id, customer, startMs }) => ({
    id,
    variables: { customer },
    startAt: new Date(begin + startMs).toISOString(),
  }));
  const body = { subjects: keyed, connections: {}, assume: { actions: { call: { takes: tookMs } } } };
  const { body: told } = await must(200, made.ask("POST", "/v1/definitions/keyed/preview", { key, body }));
  const foretold = runs.toSorted((a, b) => a.callMs - b.callMs);
  expect(told.rows.map(({ subject, at }: Row) => [subject, Date.parse(String(at)) - begin])).toEqual(
    foretold.map(({ id, callMs }) => [id, callMs]),
  );
  const held = told.rows.filter(({ heldBy }: Row) => heldBy !== null);
  expect(held.map(({ subject }: Row) => subject)).toEqual(
    foretold.filter(({ startMs, callMs }) => callMs > startMs).map(({ id }) => id),
  );
});
