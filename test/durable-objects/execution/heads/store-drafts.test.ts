// Tests a turn that is stored while the alarm cannot be set.
import { expect, it } from "vitest";
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import { PROJECT_WITHIN_MS } from "#schema/limits/executions.ts";
import { machine, T0 } from "#test/support/drive.ts";
import { begin, openTestCell } from "../cell.ts";

const waits = machine({ states: { open: { after: { PT1H: "over" } }, over: { type: "final" } } });

it("an alarm that could not be set is retried by one timer for all commits", async () => {
  let isBroken = true;
  const armed: number[] = [];
  const later: [ms: number, work: () => void][] = [];
  const cell = openTestCell({
    setAlarm: (at) => {
      if (isBroken) throw new Error("the store could not set it");
      armed.push(at);
    },
    runAfter: (ms, work) => void later.push([ms, work]),
  });
  const taken = [cell.take(begin("exe_1_p0", waits)), cell.take(begin("exe_2_p0", waits))];
  // Other timers are for grouping and for projections.
  const retries = () => later.filter(([ms]) => ms === ALARM_RETRY_AFTER_MS).map(([, work]) => work);
  for (const [ms, work] of later) if (ms < ALARM_RETRY_AFTER_MS) work();
  expect((await Promise.all(taken)).flat().map(({ ok }) => ok)).toEqual([true, true]);
  expect([retries().length, armed]).toEqual([1, []]);
  retries()[0]?.();
  expect([retries().length, armed]).toEqual([2, []]);
  isBroken = false;
  retries()[1]?.();
  expect([retries().length, armed]).toEqual([2, [T0 + PROJECT_WITHIN_MS]]);
  expect(cell.lines.filter(({ event }) => event === "alarm_not_set")).toHaveLength(3);
});
