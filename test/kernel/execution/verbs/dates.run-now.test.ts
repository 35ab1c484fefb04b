// An operator starts a run, a timer or an action now.
import { describe, expect, test } from "vitest";
import { DEFINITION_ACTIONS_MAX } from "#schema/limits/definition-sizes.ts";
import { action, ask, drive, hour } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

describe("run now", () => {
  const t = () =>
    drive({
      states: { a: { after: { PT1H: "b" }, on: { go: "b" } }, b: { on: { x: "a" } } },
      actions: [
        action("later", { triggerState: "a", delay: "P1D" }),
        action("daily", { triggerState: "a", schedule: "0 8 * * *" }),
        action("extra", { delay: "P1D" }),
      ],
    }).start();

  test("brings a waiting run forward", () => {
    const early = t().runNow({ run: "1.0" });
    expect(early.runs()).toEqual(["later queued"]);
    expect(early.newLines().slice(-2)).toEqual(["run_brought_forward 1.0", "run_dispatched 1.0 #1"]);
  });

  test("makes nothing late: that counts from when it was to be", () => {
    const actions = [action("later", { triggerState: "a", delay: "P1D", maxLateness: "PT1H" })];
    const early = drive({ states: { a: { on: { x: "a" } } }, actions })
      .start()
      .runNow({ run: "1.0" });
    expect(
      early
        .clock(2 * hour)
        .claim("later")
        .runs(),
    ).toEqual(["later running"]);
  });

  test("brings a retry forward", () => {
    expect(t().runNow({ run: "1.0" }).miss("later").runNow({ run: "1.0" }).run("later")).toMatchObject({
      status: "queued",
      attempt: 2,
    });
  });

  test("brings a timer forward: it fires as if its time had come", () => {
    const early = t().runNow({ timer: "a/after/PT1H" });
    expect(early.at).toBe("b");
    expect(early.entries.find(({ kind }) => kind === "run_brought_forward")).toMatchObject({ timer: "a/after/PT1H" });
    expect(early.entries.find(({ kind }) => kind === "run_brought_forward")).not.toHaveProperty("run");
    const daily = t().runNow({ timer: "a/schedule/daily" });
    expect(daily.runs()).toEqual(["later scheduled", "daily queued"]);
    expect(daily.timers()).toEqual({ "a/after/PT1H": hour, "a/schedule/daily": 23 * hour });
  });

  test("starts an action that has no run, without its delay, and no state takes it back", () => {
    const extra = t().runNow({ action: "extra" });
    expect(extra.runs()).toEqual(["later scheduled", "extra queued"]);
    expect(extra.run("extra").boundTo).toBe(null);
    expect(extra.entries.find(({ kind }) => kind === "run_brought_forward")).toMatchObject({ action: "extra" });
  });

  test.each([
    [{ run: "9.9" }, "not_found", "9.9"],
    [{ timer: "nothing" }, "not_found", "nothing"],
    [{ action: "extre" }, "not_found", "extre"],
    [{ action: "nothing_like_it" }, "not_found", "nothing_like_it"],
  ])("%j: %s", (target, code, named) => {
    expect(t().refused(ask.runNow(target))).toMatchObject({ code, message: naming(named) });
  });

  test("a name close to an action's is guessed", () => {
    expect(t().refused(ask.runNow({ action: "extre" })).hint).toEqual(naming("extra"));
    expect(t().refused(ask.runNow({ action: "nothing_like_it" })).hint).toBe(undefined);
  });

  test("a timer that is not armed is answered with those that are", () => {
    const hintFor = (timer: string) => t().refused(ask.runNow({ timer })).hint;
    const armed = "a/schedule/daily, a/after/PT1H";
    expect(hintFor("nothing")).toEqual(naming(armed));
    const guessed = hintFor("a/schedul/daily");
    expect(guessed).toEqual(naming(armed));
    expect(guessed?.split("a/schedule/daily")).toHaveLength(3);
  });

  test("of very many timers some are named, and where none is armed that is said", () => {
    const after = Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`PT${n + 1}H`, "b"]));
    const hintIn = (states: Parameters<typeof drive>[0]["states"]) =>
      drive({ states })
        .start()
        .refused(ask.runNow({ timer: "x" })).hint;
    expect(hintIn({ a: { after }, b: {} })).toEqual(naming("a/after/PT1H", "a/after/PT20H", 2));
    expect(hintIn({ a: { on: { go: "b" } }, b: {} })).toEqual(notNaming("a/after"));
  });

  test("a run under way cannot be brought forward", () => {
    expect(
      t()
        .runNow({ run: "1.0" })
        .refused(ask.runNow({ run: "1.0" })),
    ).toMatchObject({ code: "run_not_startable", message: naming("1.0", "queued") });
  });

  test("nothing starts while paused", () => {
    expect(
      t()
        .pause()
        .refused(ask.runNow({ run: "1.0" })).code,
    ).toBe("execution_paused");
  });

  test("more runs than an execution may hold are refused", () => {
    const entry = Array.from({ length: DEFINITION_ACTIONS_MAX }, () => "extra");
    const full = drive({
      states: { a: { entry, on: { again: { target: "a", reenter: true } } } },
      actions: [action("extra", { delay: "P1D" })],
    }).start();
    for (let n = 0; n < 4; n++) full.event("again");
    expect(full.refused(ask.runNow({ action: "extra" })).code).toBe("limit_exceeded");
  });
});
