// Tests a directory's controller over rows in memory: waiting events are delivered completely and in order, and the
// number of rows is bounded.
import { expect, test } from "vitest";
import { DirectoryController } from "#objects/directory/controller.ts";
import {
  DIRECTORY_PURGED_ROWS,
  PUBLISHED_EVENTS_MAX,
  WAITING_EVENTS_PER_SLICE,
} from "#schema/limits/published-events.ts";
import type { EventReport, PublishedEvent } from "#schema/directory/calls.ts";
import { directoryDisk, directoryRows } from "#test/support/memory/directories.ts";
import { T0 } from "#test/support/drive.ts";

const event = (n: number, keepMs: number): PublishedEvent => ({
  id: `evt_${String(n).padStart(6, "0")}`,
  type: "paid",
  key: "o-1",
  payload: n,
  source: "api",
  keepMs,
  correlationId: null,
  actor: { kind: "key", id: "key_1" },
  fingerprint: `${n}`,
});

function opened(isTriggerAway = () => false) {
  const reports: EventReport[] = [];
  const disk = directoryDisk();
  const order: string[] = [];
  let now = T0;
  const controller = new DirectoryController({
    tenant: "acme",
    platform: { now: () => now, setAlarm: (at) => void (disk.alarm = at), log: () => {}, within: (call) => call },
    storage: directoryRows(disk),
    work: () => ({
      deliver: async (_tenant, { id }) => (order.push(id), ["taken"]),
      report: async (_tenant, sent) => {
        if (isTriggerAway()) throw new Error("the trigger is away");
        reports.push(sent);
      },
    }),
  });
  const post = (n: number, keepMs: number, more: Partial<PublishedEvent> = {}) => (
    (now += 1),
    controller.post([{ ...event(n, keepMs), ...more }], false)
  );
  const pass = (ms: number) => ((now += ms), controller.wake());
  return { disk, controller, order, post, pass, reports };
}

test("events that wait for a key go to the first registration, in order", async () => {
  const { disk, controller, order, post } = opened();
  const count = 2 * WAITING_EVENTS_PER_SLICE + 50;
  for (let n = 0; n < count; n++) await post(n, 3_600_000);
  await controller.registerKeys([{ execution: "exe_1", incarnation: T0, key: "o-1", since: 1 }]);
  while ([...disk.posted.values()].some(({ status }) => status === "going")) await controller.wake();
  expect(order).toEqual(Array.from({ length: count }, (_, n) => event(n, 0).id));
});

test("above the limit, the oldest finished events are deleted", async () => {
  const { disk, controller, post } = opened();
  await post(0, 0);
  const [row] = disk.posted.values();
  if (row === undefined) throw new Error("it was posted");
  for (let n = 1; n <= PUBLISHED_EVENTS_MAX; n++)
    disk.posted.set(event(n, 0).id, { ...row, at: row.at + n, event: event(n, 0) });
  const base = PUBLISHED_EVENTS_MAX + 1;
  await controller.post(
    Array.from({ length: DIRECTORY_PURGED_ROWS }, (_, n) => event(base + n, 0)),
    false,
  );
  expect(disk.posted.size).toBeLessThanOrEqual(PUBLISHED_EVENTS_MAX + DIRECTORY_PURGED_ROWS);
  expect(disk.posted.has(event(0, 0).id)).toBe(false);
});

const HOUR = 3_600_000;
const publisher = { trigger: "trg_1", delivery: "trd_1" };

test("the result of an event goes to the trigger that published it, also after the trigger was away", async () => {
  let isAway = true;
  const { disk, post, pass, reports } = opened(() => isAway);
  await post(0, HOUR, { publisher });
  await pass(HOUR);
  expect(reports).toEqual([]);
  expect([...disk.posted.values()]).toMatchObject([{ status: "undeliverable", isReportDue: true, tries: 1 }]);
  isAway = false;
  await pass(HOUR);
  expect(reports).toMatchObject([{ ...publisher, event: event(0, 0).id, result: { code: "keep_expired" } }]);
  await pass(HOUR);
  expect(reports).toHaveLength(1);
});

test("a replay publishes an undeliverable event again, with the corrected content", async () => {
  const { controller, order, post, pass, reports } = opened();
  await post(0, HOUR, { publisher });
  await pass(HOUR);
  await controller.registerKeys([{ execution: "exe_1", incarnation: T0, key: "o-1", since: 1 }]);
  const replay = { publisher, replayedAt: T0 + HOUR, fingerprint: "corrected" };
  expect(await post(0, HOUR, replay)).toMatchObject([{ value: { repeated: false, row: { status: "going" } } }]);
  await pass(1);
  expect(order).toEqual([event(0, 0).id]);
  expect(reports.map(({ result }) => result)).toMatchObject([{ code: "keep_expired" }, "taken"]);
  expect(await post(0, HOUR, replay)).toMatchObject([{ value: { repeated: true, row: { status: "delivered" } } }]);
});
