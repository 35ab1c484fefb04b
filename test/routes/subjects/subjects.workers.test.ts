// Subjects over HTTP: the view of a subject, lists of executions by subject and next step, and erasure.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { EnrollRequest } from "#schema/subject/enrolment.ts";
import { api, must, shop } from "#test/support/api.ts";
import { executionRow, NOW, projection } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const HOUR = 3_600_000;
const enrol = (execution: string, more: Partial<EnrollRequest> = {}): EnrollRequest => ({
  journey: "wedding",
  execution,
  reentry: "once",
  found: [],
  isGone: false,
  dryRun: false,
  ...more,
});

async function opened() {
  const made = api();
  const { tenant, key } = await shop(made);
  const object = (name: string) => made.world.subject(`${tenant}/${name}`);
  const add = (...rows: readonly Partial<ExecutionRow>[]) =>
    applyProjections(made.world.db, [
      projection({
        executions: rows.map((row) =>
          executionRow({ tenant, definitionName: "wedding", status: "waiting", finishedAt: null, ...row }),
        ),
      }),
    ]);
  const ask = (method: string, path: string, asked: object = {}) => made.ask(method, path, { key, ...asked });
  return { made, tenant, object, add, ask };
}

test("a subject is shown with its journeys, caps and next steps", async () => {
  const { object, add, ask, made } = await opened();
  const subject = object("couple/17 ä");
  await subject.enroll(enrol("exe_a"));
  await subject.endEnrolment({
    journey: "wedding",
    execution: "exe_a",
    incarnation: NOW,
    end: { status: "completed", at: NOW + 5 },
  });
  await subject.enroll(enrol("exe_b", { journey: "reminders", reentry: "always" }));
  await subject.takeSlot({ cap: "gentle", max: 1, window: { kind: "rolling", ms: HOUR }, key: "exe_b/1.0" });
  await add(
    { id: "exe_b", subject: "couple/17 ä", nextAt: NOW + HOUR, nextNode: "nudge" },
    { id: "exe_c", subject: "couple/17 ä", nextAt: NOW + 1, nextNode: "thanks", definitionName: "reminders" },
    { id: "exe_d", subject: "couple-18", nextAt: NOW, nextNode: "thanks" },
  );
  const { body } = await must(200, ask("GET", `/v1/subjects/${encodeURIComponent("couple/17 ä")}`));
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  expect(body).toEqual({
    key: "couple/17 ä",
    journeys: [
      {
        journey: "reminders",
        reentry: "always",
        enrolments: [{ execution: "exe_b", enrolledAt: at(0), status: "live", endedAt: null }],
      },
      {
        journey: "wedding",
        reentry: "once",
        enrolments: [{ execution: "exe_a", enrolledAt: at(0), status: "completed", endedAt: at(5) }],
      },
    ],
    caps: [{ cap: "gentle", max: 1, window: { kind: "rolling", ms: HOUR }, used: 1, opensAt: at(HOUR) }],
    next: { execution: "exe_c", definition: "reminders", at: at(1), node: "thanks" },
  });
  made.world.clock.now += HOUR;
  const later = await must(200, ask("GET", `/v1/subjects/${encodeURIComponent("couple/17 ä")}`));
  expect(later.body.caps).toEqual([]);
});

test("a subject that was in no journey is 404", async () => {
  const { ask } = await opened();
  expect((await must(404, ask("GET", "/v1/subjects/couple-99"))).body).toMatchObject({
    code: "not_found",
    detail: naming("couple-99"),
    hint: expect.any(String),
  });
  await must(400, ask("GET", `/v1/subjects/${"x".repeat(201)}`));
});

test("executions are listed by subject, and by the next step in a journey", async () => {
  const { add, ask } = await opened();
  const due = (n: number) => ({ subject: `couple-${n}`, nextAt: NOW + n * HOUR, nextNode: "thanks" });
  await add(
    { id: "exe_3", ...due(3) },
    { id: "exe_1", ...due(1) },
    { id: "exe_2", ...due(2), createdAt: NOW + 1 },
    { id: "exe_9", ...due(9) },
    { id: "exe_other", ...due(1), definitionName: "reminders" },
    { id: "exe_nobody", nextAt: NOW, nextNode: "a" },
    { id: "exe_none", subject: "couple-1", nextAt: null },
  );
  const ids = (answer: { readonly body: { readonly data: readonly { readonly id: string }[] } }) =>
    answer.body.data.map(({ id }) => id);
  expect(ids(await must(200, ask("GET", "/v1/executions?subject=couple-1"))).toSorted()).toEqual([
    "exe_1",
    "exe_none",
    "exe_other",
  ]);
  const before = new Date(NOW + 5 * HOUR).toISOString();
  const seen: string[] = [];
  let cursor = "";
  do {
    const path = `/v1/executions?definition=wedding&nextBefore=${before}&limit=2${cursor}`;
    const { body } = await must(200, ask("GET", path));
    seen.push(...ids({ body }));
    cursor = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`;
  } while (cursor !== "");
  expect(seen).toEqual(["exe_1", "exe_2", "exe_3"]);
  const [first] = (await must(200, ask("GET", `/v1/executions?definition=wedding&nextBefore=${before}`))).body.data;
  expect(first).toMatchObject({
    subject: "couple-1",
    next: { at: new Date(NOW + HOUR).toISOString(), node: "thanks" },
  });
  const one = `/v1/executions?definition=wedding&nextBefore=${before}&subject=couple-2`;
  expect(ids(await must(200, ask("GET", one)))).toEqual(["exe_2"]);
});

test.each(["", "&definition=def_1"])("listing by next step requires a definition's name: %s", async (more) => {
  const { ask } = await opened();
  const { body } = await must(400, ask("GET", `/v1/executions?nextBefore=2027-01-01T00:00:00Z${more}`));
  expect(body.errors).toMatchObject([{ pointer: "?definition" }]);
});

test("a subject in a journey is not erased; afterwards it is, also in lists, and the audit has no identity", async () => {
  const { made, tenant, object, add, ask } = await opened();
  await object("couple-1").enroll(enrol("exe_a"));
  await add({ id: "exe_a", subject: "couple-1" });
  const { body: live } = await must(409, ask("DELETE", "/v1/subjects/couple-1"));
  expect([live.code, live.details.executions]).toEqual(["execution_live", ["exe_a"]]);
  const end = { status: "completed", at: NOW } as const;
  await object("couple-1").endEnrolment({ journey: "wedding", execution: "exe_a", incarnation: NOW, end });
  const dry = await must(200, ask("DELETE", "/v1/subjects/couple-1?dryRun=true"));
  const said = { key: "couple-1", once: ["wedding"], executions: ["exe_a"] };
  expect(dry.body).toEqual({ ...said, dryRun: true });
  expect((await must(200, ask("GET", "/v1/executions?subject=couple-1"))).body.data).toHaveLength(1);
  const done = await must(200, ask("DELETE", "/v1/subjects/couple-1?reason=they%20asked"));
  expect(done.body).toEqual({ ...said, dryRun: false });
  await must(404, ask("GET", "/v1/subjects/couple-1"));
  expect((await must(200, ask("GET", "/v1/executions?subject=couple-1"))).body.data).toEqual([]);
  const { body: audit } = await must(200, ask("GET", "/v1/audit?verb=subject.erase"));
  expect(audit.data).toMatchObject([{ reason: "they asked" }]);
  expect(JSON.stringify(audit.data)).not.toContain("couple-1");
  expect(made.world.subjects.disks.get(`${tenant}/couple-1`)?.journeys.size).toBe(0);
});

test("an admitted start that never began does not prevent erasure", async () => {
  const { made, object, ask } = await opened();
  await object("couple-1").enroll(enrol("exe_a"));
  made.world.clock.now += 2 * HOUR;
  expect((await must(200, ask("DELETE", "/v1/subjects/couple-1"))).body.once).toEqual(["wedding"]);
});

test("another tenant's subject is 404", async () => {
  const { made, object, ask } = await opened();
  await object("couple-1").enroll(enrol("exe_a"));
  const other = await shop(made);
  await must(404, made.ask("GET", "/v1/subjects/couple-1", { key: other.key }));
  await must(200, made.ask("DELETE", "/v1/subjects/couple-1", { key: other.key }));
  await must(200, ask("GET", "/v1/subjects/couple-1"));
});
