// Tests the subject object: its rows survive an eviction, a slot writes one row, and the number of rows is bounded.
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { SubjectController } from "#objects/subject/controller.ts";
import { ADMISSION_MS, SUBJECT_CAPS_MAX, SUBJECT_JOURNEYS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { SlotRequest } from "#schema/subject/cap.ts";
import type { EnrollRequest, Reentry } from "#schema/subject/enrolment.ts";
import { bindings } from "#test/flows/engine.ts";
import { subjectDisk, subjectRows } from "#test/support/memory/subjects.ts";
import { countRows } from "../rows-written.ts";

const HOUR = 3_600_000;
let objects = 0;

function opened() {
  const stub = bindings.SUBJECTS.getByName(`t/couple-${++objects}`);
  return { stub, subject: stub as unknown as Subject }; // RPC stubs answer what the class declares
}

const enrol = (
  journey: string,
  execution: string,
  reentry: Reentry,
  more: Partial<EnrollRequest> = {},
): EnrollRequest => ({ journey, execution, reentry, found: [], isGone: false, dryRun: false, ...more });
const slot = (key: string, cap = "gentle"): SlotRequest => ({
  cap,
  max: 2,
  window: { kind: "rolling", ms: HOUR },
  key,
});

test("journeys and slots survive an eviction", async () => {
  const { stub, subject } = opened();
  expect(await subject.enroll(enrol("wedding", "exe_a", "once"))).toMatchObject({ kind: "admitted", isNew: true });
  await subject.takeSlot(slot("exe_a/1.0"));
  await evict(stub);
  expect(await subject.enroll(enrol("wedding", "exe_b", "once"))).toMatchObject({ kind: "enrolled" });
  const view = await subject.read();
  expect(view.journeys).toMatchObject([{ journey: "wedding", enrolments: [{ execution: "exe_a", ended: null }] }]);
  expect(view.caps).toMatchObject([{ cap: "gentle", max: 2, used: 1, opensAt: null }]);
});

test("of two concurrent starts, one is admitted", async () => {
  const { subject } = opened();
  const answers = await Promise.all(
    ["exe_a", "exe_b", "exe_c"].map((execution) => subject.enroll(enrol("wedding", execution, "after_finish"))),
  );
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["admitted", "enrolled", "enrolled"]);
});

test("a slot or an admission writes one row; a refusal writes none", async () => {
  const { stub, subject } = opened();
  await subject.takeSlot(slot("first")); // This call creates the tables.
  const rows = await countRows(stub);
  await subject.takeSlot(slot("second"));
  expect(rows.count).toBe(1);
  expect((await subject.takeSlot(slot("third"))).ok).toBe(false);
  expect(rows.count).toBe(1);
  await subject.enroll(enrol("wedding", "exe_a", "once"));
  expect(rows.count).toBe(2);
  await subject.enroll(enrol("wedding", "exe_b", "once"));
  await subject.enroll(enrol("other", "exe_c", "once", { dryRun: true }));
  expect(rows.count).toBe(2);
});

test("a released slot is free, and a cap without slots is deleted", async () => {
  const { subject } = opened();
  await subject.takeSlot(slot("a"));
  await subject.takeSlot(slot("b"));
  await subject.releaseSlot("gentle", "a");
  expect((await subject.takeSlot(slot("c"))).ok).toBe(true);
  await subject.releaseSlot("gentle", "b");
  await subject.releaseSlot("gentle", "c");
  expect((await subject.read()).caps).toEqual([]);
});

test("an end is recorded, and a withdrawn enrolment is deleted", async () => {
  const { subject } = opened();
  await subject.enroll(enrol("wedding", "exe_a", "after_finish"));
  const end = { status: "completed", at: Date.now() } as const;
  await subject.endEnrolment({ journey: "wedding", execution: "exe_a", incarnation: Date.now(), end });
  const second = await subject.enroll(enrol("wedding", "exe_b", "after_finish"));
  if (second.kind !== "admitted") throw new Error("the first has ended");
  await subject.withdraw("wedding", "exe_b", second.turn);
  const [journey] = (await subject.read()).journeys;
  expect(journey?.enrolments.map(({ execution, ended }) => [execution, ended])).toEqual([["exe_a", end]]);
});

test("erase refuses while a journey is live, and then deletes everything", async () => {
  const { stub, subject } = opened();
  await subject.enroll(enrol("wedding", "exe_a", "once"));
  await subject.takeSlot(slot("a"));
  expect(await subject.erase(false)).toMatchObject([{ journey: "wedding" }]);
  const end = { status: "canceled", at: Date.now() } as const;
  await subject.endEnrolment({ journey: "wedding", execution: "exe_a", incarnation: Date.now(), end });
  expect(await subject.erase(true)).toEqual([]);
  expect((await subject.read()).caps).toHaveLength(1);
  expect(await subject.erase(false)).toEqual([]);
  expect(await subject.read()).toEqual({ journeys: [], caps: [] });
  const left = await runInDurableObject(stub, (_object, { storage }) => storage.list());
  expect(left.size).toBe(0);
  expect((await subject.enroll(enrol("wedding", "exe_b", "once"))).kind).toBe("admitted");
});

test("a read of an unknown subject stores nothing", async () => {
  const { stub, subject } = opened();
  expect(await subject.read()).toEqual({ journeys: [], caps: [] });
  await subject.withdraw("wedding", "exe_a", 1);
  await subject.recordFindings("wedding", []);
  await subject.releaseSlot("gentle", "a");
  const tables = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('journeys', 'caps')").toArray(),
  );
  expect(tables).toEqual([]);
});

function inMemory() {
  const clock = { now: Date.UTC(2026, 0, 5) };
  const controller = new SubjectController({ storage: subjectRows(subjectDisk()), now: () => clock.now });
  return { clock, controller };
}

test("a full subject deletes a journey only if no later start needs it", async () => {
  const { controller } = inMemory();
  for (let n = 0; n < SUBJECT_JOURNEYS_MAX; n++) await controller.enroll(enrol(`j${n}`, `exe_${n}`, "once"));
  expect(await controller.enroll(enrol("more", "exe_x", "once"))).toEqual({ kind: "full", max: SUBJECT_JOURNEYS_MAX });
  expect((await controller.enroll(enrol("j3", "exe_y", "always"))).kind).toBe("admitted");
  for (const execution of ["exe_3", "exe_y"])
    await controller.endEnrolment({
      journey: "j3",
      execution,
      incarnation: Date.UTC(2026, 0, 5),
      end: { status: "completed", at: Date.UTC(2026, 0, 5) },
    });
  expect((await controller.enroll(enrol("more", "exe_x", "once", { dryRun: true }))).kind).toBe("admitted");
  expect((await controller.enroll(enrol("more", "exe_x", "once"))).kind).toBe("admitted");
  expect((await controller.read()).journeys).toHaveLength(SUBJECT_JOURNEYS_MAX);
});

test("a subject with too many caps refuses until one expires", async () => {
  const { controller, clock } = inMemory();
  for (let n = 0; n < SUBJECT_CAPS_MAX; n++) await controller.takeSlot(slot("a", `c${n}`));
  expect(await controller.takeSlot(slot("a", "more"))).toEqual({ ok: false, opensAt: clock.now + HOUR });
  clock.now += HOUR;
  expect((await controller.takeSlot(slot("a", "more"))).ok).toBe(true);
  expect((await controller.read()).caps.map(({ cap }) => cap)).toEqual(["more"]);
});

test("the answer about a doubtful execution frees the subject", async () => {
  const { controller, clock } = inMemory();
  await controller.enroll(enrol("wedding", "exe_a", "once"));
  clock.now += 3 * ADMISSION_MS;
  const doubt = await controller.enroll(enrol("wedding", "exe_b", "once"));
  if (doubt.kind !== "doubt") throw new Error("nobody has heard of the first");
  await controller.recordFindings("wedding", [{ execution: doubt.of.execution, turn: doubt.of.turn, is: null }]);
  expect((await controller.read()).journeys).toEqual([]);
});
