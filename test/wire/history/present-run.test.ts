// The planned instant of a run as clients see it.
import { expect, it } from "vitest";
import { presentRun } from "#wire/history/present.ts";
import { action, drive, hour, T0 } from "#test/support/drive.ts";

it("a run keeps its planned instant after its end", () => {
  const later = action("mail", { triggerState: "a", delay: "PT1H" });
  const t = drive({ states: { a: { on: { go: "a" } } }, actions: [later] }).start();
  const plannedAt = () => presentRun("exe_1", t.run("mail")).plannedAt;
  const planned = new Date(T0 + hour).toISOString();
  expect(plannedAt()).toBe(planned);
  t.tickAt(hour)
    .clock(2 * hour)
    .ok("mail");
  expect([t.run("mail").dueAt, plannedAt()]).toEqual([null, planned]);
});
