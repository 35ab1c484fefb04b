// Tests the counts of a forecast, and when its last attempt starts.
import { describe, expect, test } from "vitest";
import { FORECAST_TIMES_MAX } from "#schema/limits/planning/forecast-sizes.ts";
import { action, day, machine, T0 } from "#test/support/drive.ts";
import { connection, forecastOf, perSecond } from "./forecast-of.ts";

const crm = { type: "api_call", config: { service: "crm", endpoint: "/x" } };
const retryPolicy = { maxAttempts: 2, baseDelay: 60_000, jitter: "none" } as const;
const calls = machine({
  states: { a: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
  actions: [action("call", { triggerState: "a", ...crm, retryPolicy })],
});
const seconds = (at: number | null): number => Math.round((Number(at) - T0) / 1_000);

describe("the counts of a forecast", () => {
  test("cover all executions, whichever were simulated", () => {
    const all = forecastOf(calls, { of: 100 });
    const some = forecastOf(calls, { of: 100, played: 10 });
    expect(some.executions).toEqual({ ...all.executions, played: 10 });
    expect(some.runs).toEqual([{ action: "call", type: "api_call", status: "ok", runs: 100 }]);
    expect(some.attempts.map(({ attempts }) => attempts)).toEqual([100]);
    expect(some.platform.objectRows).toBe(all.platform.objectRows);
  });

  test("contain failures and retries of assumed shares, with their cost", () => {
    const failing = [{ share: 0.1, outcome: { error: { type: "service_unavailable" } } }];
    const prices = { currency: "EUR", amounts: { api_call: 0.01, "api_call/http": 0.02 } };
    const said = forecastOf(calls, {
      of: 100,
      shares: { call: failing },
      prices,
      connections: [connection("crm", {})],
    });
    const first = { firstAt: expect.any(Number), lastAt: expect.any(Number) };
    expect(said.attempts).toEqual([
      {
        type: "api_call",
        provider: "http",
        connection: "crm",
        attempts: 110,
        ok: 99,
        failed: 11,
        retries: 10,
        price: 0.02,
        ...first,
      },
    ]);
    expect(said.runs.map(({ status, runs }) => [status, runs])).toEqual([
      ["ok", 99],
      ["failed", 1],
    ]);
  });

  test("use the named provider if no connection is known", () => {
    const config = { provider: "sendgrid", to: "ada@example.com" };
    const mail = machine({
      states: { a: {} },
      actions: [action("mail", { triggerState: "a", type: "email", config })],
    });
    const prices = { currency: "EUR", amounts: { email: 0.01 } };
    expect(forecastOf(mail, { prices }).attempts).toMatchObject([
      { provider: "sendgrid", connection: null, price: 0.01 },
    ]);
  });

  test("contain refused starts and executions cut off by the simulation", () => {
    const who = {
      kind: "journey",
      name: "w",
      subject: { var: "execution.variables.who" },
      initial: "a",
      nodes: { a: crm },
    };
    const said = forecastOf(who, { of: 4, variables: (n) => (n === 0 ? {} : { who: `c${n}` }) });
    expect(said.executions).toMatchObject({ byStatus: { completed: 3 }, refused: { invalid_input: 1 } });
    const late = machine({ states: { a: { after: { P9D: "b" } }, b: {} } });
    expect(forecastOf(late, { of: 2, until: T0 + day }).executions.cut).toEqual({ until: 2 });
    expect(forecastOf(late, { of: 0 })).toMatchObject({ lastAt: null, startedBy: null, bottleneck: null, times: [] });
  });
});

describe("the last attempt starts", () => {
  test("when the rate of the connection admits it, also with fewer simulated executions", () => {
    for (const played of [600, 60]) {
      const said = forecastOf(calls, { of: 600, played, connections: [connection("crm", { rate: perSecond(10) })] });
      expect(Math.abs(seconds(said.lastAt) - 60)).toBeLessThanOrEqual(1);
      expect(said).toMatchObject({
        bottleneck: "crm",
        lastAction: "call",
        lastHeldBy: { reason: "rate_limited", connection: "crm" },
      });
    }
  });

  test("when slots are free, even if they do not divide evenly among the simulated executions", () => {
    const assume = { actions: { call: { takes: "PT4S" } } };
    for (const played of [300, 100]) {
      const connections = [connection("crm", { concurrency: 10 })];
      const said = forecastOf(calls, { of: 300, played, connections, assume });
      // Thirty rounds of four seconds, plus the time that calls with a return time lose.
      expect(seconds(said.lastAt)).toBeGreaterThanOrEqual(110);
      expect(seconds(said.lastAt)).toBeLessThanOrEqual(160);
    }
  });

  test("when the breaker closes, if calls fail for a while", () => {
    const terms = { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 10, openMs: 30_000, halfOpenProbes: 1 };
    const said = forecastOf(calls, {
      of: 100,
      connections: [connection("crm", { breaker: terms })],
      startAt: (member) => T0 + member * 100,
      assume: { actions: { call: [{ error: { type: "service_unavailable" } }, {}] } },
    });
    expect(said.holds[0]).toMatchObject({ reason: "circuit_open", connection: "crm" });
    expect(said.executions.byStatus).toEqual({ completed: 100 });
  });

  test("later if the provider requests a pause", () => {
    const quiet = { share: 0.01, outcome: { error: { type: "rate_limit", retryAfter: "PT5M" } } };
    const said = forecastOf(calls, { of: 100, connections: [connection("crm", {})], shares: { call: [quiet] } });
    expect(seconds(said.lastAt)).toBe(300);
    const odd = { share: 0.5, outcome: { error: { type: "not_found" } } };
    const ignored = forecastOf(calls, {
      of: 10,
      connections: [connection("crm", { concurrency: 100 })],
      shares: { call: [odd] },
    });
    expect(ignored.executions.byStatus).toEqual({ completed: 5, failed: 5 });
  });

  test("when the tenant's quotas per day and in flight admit it", () => {
    const daily = forecastOf(calls, { of: 300, quotas: { actionsPerDay: 100, inFlight: 1_000 } });
    // The first day's actions are sent on the day of the start, the last ones after the second midnight.
    expect(Number(daily.lastAt) % day).toBeLessThan(1_000);
    expect(Math.ceil(seconds(daily.lastAt) / 86_400)).toBe(2);
    expect(daily.holds[0]).toMatchObject({ reason: "quota", connection: null });
    const slow = { actions: { call: { takes: "PT5S" } } };
    const few = forecastOf(calls, { of: 100, quotas: { actionsPerDay: 1_000, inFlight: 10 }, assume: slow });
    expect(seconds(few.lastAt)).toBeGreaterThan(40);
  });

  test("when the tenant's quiet hours and the limit by key admit it", () => {
    const late = { from: "10:00", to: "12:00", timezone: "UTC" };
    const policy = { name: "late", kind: "quiet_hours" as const, updatedAt: 1, types: ["api_call"], window: late };
    const quiet = forecastOf(calls, { of: 5, policies: [policy] });
    expect(seconds(quiet.lastAt)).toBe(3_600);
    expect(quiet.holds.map(({ reason }) => reason)).toEqual(["quiet_hours"]);
    const limit = [{ key: "all", concurrency: 1 }];
    const keyed = machine({ states: { a: {} }, actions: [action("call", { triggerState: "a", ...crm, limit })] });
    const slow = { actions: { call: { takes: "PT5S" } } };
    const byKey = forecastOf(keyed, { of: 5, assume: slow });
    expect(seconds(byKey.lastAt)).toBe(20);
    expect(byKey.holds.map(({ reason }) => reason)).toEqual(["limit_concurrency"]);
  });

  test("when the window and the cap of a machine admit it", () => {
    const definition = machine({
      windows: { late: { from: "10:00", to: "12:00" } },
      caps: { few: { max: 1, per: "PT1H", subject: { var: "execution.variables.who" } } },
      states: { a: { entry: ["one"], on: { "action.one.ok": "b" } }, b: { entry: ["two"] } },
      actions: [
        { ...action("one", crm), window: "late", cap: "few" },
        { ...action("two", crm), cap: "few" },
      ],
    });
    const result = forecastOf(definition, { of: 5, variables: (n) => ({ who: `c${n}` }) });
    expect(seconds(result.lastAt)).toBe(2 * 3_600);
    expect(result.holds.map(({ reason }) => reason).toSorted()).toEqual(["cap", "window"]);
  });

  test("when the subject's cap admits it, or never if the cap skips it", () => {
    const capped = (over: string) => ({
      kind: "journey",
      name: "w",
      subject: { var: "execution.variables.who" },
      initial: "a",
      caps: { few: { max: 1, per: "PT1H", over } },
      nodes: { a: { ...crm, cap: "few", next: "b" }, b: { ...crm, cap: "few" } },
    });
    const variables = (n: number) => ({ who: `c${n}` });
    expect(seconds(forecastOf(capped("wait"), { of: 5, variables }).lastAt)).toBe(3_600);
    const both = forecastOf(capped("wait"), {
      of: 5,
      variables,
      connections: [connection("crm", { rate: perSecond(1) })],
    });
    expect(both.holds.map(({ reason }) => reason)).toEqual(["cap", "rate_limited"]);
    const skipped = forecastOf(capped("skip"), { of: 5, variables });
    expect([seconds(skipped.lastAt), skipped.runs.map(({ status, runs }) => `${runs} ${status}`)]).toEqual([
      0,
      ["5 ok", "5 skipped"],
    ]);
  });
});

describe("the times of attempts", () => {
  test("are listed by hour with the used share of the rate", () => {
    const rate = { calls: 60, perMs: 60_000, burst: 1 };
    const { every, lines } = told(
      forecastOf(calls, { of: 5_400, played: 540, connections: [connection("crm", { rate })] }),
    );
    expect(every).toBe(60 * 60_000);
    expect(lines).toEqual(["0 crm 3600 1", "1 crm 1800 0.5"]);
  });

  test("are listed by connection", () => {
    const two = machine({
      states: { a: { on: { "action.call.ok": "b" } }, b: {} },
      actions: [action("call", { triggerState: "a", ...crm }), action("mail", { triggerState: "b" })],
    });
    for (const name of ["crm", "zoo"]) {
      const actions = two.actions?.map((each) => ({
        ...each,
        config: { ...each.config, ...(each.actionId === "call" ? { service: name } : {}) },
      }));
      const { lines } = told(forecastOf({ ...two, actions }, { of: 2, connections: [connection(name, {})] }));
      expect(lines).toEqual([`0 ${name} 2 null`, "0 null 2 null"].toSorted());
    }
  });

  test("are listed by day for a long forecast; types that call nothing are left out", () => {
    const startAt = (member: number) => T0 + member * 20 * day;
    const waits = machine({
      states: { a: { on: { "action.nap.ok": "b" } }, b: {} },
      actions: [
        action("nap", { triggerState: "a", type: "delay", config: { duration: 1 } }),
        action("mail", { triggerState: "b" }),
      ],
    });
    const { every, lines } = told(forecastOf(waits, { of: 2, startAt }));
    expect([every, lines]).toEqual([day, ["0 null 1 null", "480 null 1 null"]]);
  });

  test("are cut at a maximum, with the number left out", () => {
    const startAt = (member: number) => T0 + member * 15 * day;
    const { times, timesLeft } = forecastOf(calls, { of: FORECAST_TIMES_MAX + 5, startAt, until: T0 + 1e13 });
    expect([times.length, timesLeft]).toEqual([FORECAST_TIMES_MAX, 5]);
  });
});

function told({ everyMs, times }: ReturnType<typeof forecastOf>) {
  const from = T0 - (T0 % everyMs);
  const lines = times.map(
    (line) => `${(line.from - from) / 3_600_000} ${line.connection} ${line.attempts} ${line.used}`,
  );
  return { every: everyMs, lines };
}

test("starts above a limit of one key follow each other, and other keys do not wait", () => {
  const orders = machine({
    limit: [{ key: { var: "execution.variables.customer" }, concurrency: 1 }],
    states: { a: { after: { PT1H: "b" } }, b: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
    actions: [action("call", { triggerState: "b", ...crm })],
  });
  const of = (customer: (member: number) => string) =>
    forecastOf(orders, { of: 4, variables: (member) => ({ customer: customer(member) }) });
  const [same, each] = [of(() => "ada"), of(String)];
  const hours = ({ attempts: [call] }: typeof same) =>
    [call?.firstAt, call?.lastAt].map((at) => Math.floor((Number(at) - T0) / 3_600_000));
  expect([hours(same), hours(each)]).toEqual([
    [1, 4],
    [1, 1],
  ]);
  expect(same.runs).toEqual([{ action: "call", type: "api_call", status: "ok", runs: 4 }]);
});
