// Dead letters that are retried automatically after their provider recovered: which, how often, and that an operator
// may retry more often.
import { describe, expect, test } from "vitest";
import type { AutoRetry } from "#schema/definition/action-fields.ts";
import { outageTypes } from "#schema/engine/outage.ts";
import { action, ask, drive, hour, minute } from "#test/support/drive.ts";

type Drive = ReturnType<typeof drive>;
const stays = { a: { on: { x: "a" } } };
const mail = (selfHeal: AutoRetry | undefined, more: object = {}) =>
  action("mail", {
    triggerState: "a",
    retryPolicy: { maxAttempts: 1 },
    ...(selfHeal === undefined ? {} : { selfHeal }),
    ...more,
  });
const dead = (selfHeal?: AutoRetry, error: object = { type: "service_unavailable" }, more: object = {}): Drive =>
  drive({ states: stays, actions: [mail(selfHeal, more)] })
    .start()
    .miss("mail", error);
const heal = (t: Drive, times: number | null = null): Drive => t.retry("mail", { heal: { times } });
const refused = (t: Drive, times: number | null): unknown =>
  t.refused(ask.retry(t.run("mail").id, { heal: { times } })).details;

describe("which", () => {
  test.each<[string, AutoRetry | undefined, number | null, number | undefined, string | null]>([
    ["no setting enables it", undefined, null, undefined, "self_heal_not_set"],
    ["its connection does", undefined, 1, undefined, null],
    ["its action does", {}, null, 1, null],
    ["its action says how often", { times: 3 }, 1, 3, null],
    ["its action disables it", false, 5, 0, "self_heal_not_set"],
  ])("%s", (_what, selfHeal, times, heals, why) => {
    const t = dead(selfHeal);
    expect(t.run("mail").heals).toBe(heals);
    if (why === null) expect(heal(t, times).run("mail").status).toBe("queued");
    else expect(refused(t, times)).toEqual({ heal: why });
  });

  test.each(outageTypes)("what failed as %s", (type) => {
    expect(heal(dead({}, { type })).run("mail")).toMatchObject({ status: "queued", redriven: { healed: 1, times: 1 } });
  });

  test.each([{ type: "not_found" }, { type: "service_unavailable", retryable: false }])(
    "not what failed as %j",
    (error) => {
      expect(refused(dead({}, error), 1)).toEqual({ heal: "no_outage" });
    },
  );
});

test("as often as is asked for, and a person may send it again after that", () => {
  const t = heal(dead({ times: 2 })).miss("mail", { type: "timeout" });
  heal(t.clock(hour)).miss("mail", { type: "timeout" });
  expect(t.run("mail").redriven).toMatchObject({ healed: 2, times: 2 });
  expect(refused(t, 5)).toEqual({ heal: "self_heal_exhausted" });
  t.retry("mail");
  expect(t.run("mail")).toMatchObject({ status: "queued", redriven: { healed: 2, times: 3 } });
});

test("what is no longer wanted by then is skipped, as ever", () => {
  const t = dead({}, { type: "timeout" }, { maxLateness: "PT1M" });
  heal(t.clock(2 * minute));
  expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "late", deadLetter: false });
});
