// Tests a directory's controller over rows in memory: waiting events are delivered completely and in order, and the
// number of rows is bounded.
import { expect, test } from "vitest";
import { DirectoryController } from "#objects/directory/controller.ts";
import {
  DIRECTORY_PURGED_ROWS,
  PUBLISHED_EVENTS_MAX,
  WAITING_EVENTS_PER_SLICE,
} from "#schema/limits/published-events.ts";
import type { PublishedEvent } from "#schema/directory/calls.ts";
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

function opened() {
  const disk = directoryDisk();
  const order: string[] = [];
  let now = T0;
  const controller = new DirectoryController({
    tenant: "acme",
    platform: { now: () => now, setAlarm: (at) => void (disk.alarm = at), log: () => {}, within: (call) => call },
    storage: directoryRows(disk),
    work: () => ({ deliver: async (_tenant, { id }) => (order.push(id), ["taken"]) }),
  });
  const post = (n: number, keepMs: number) => ((now += 1), controller.post([event(n, keepMs)], false));
  return { disk, controller, order, post };
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
