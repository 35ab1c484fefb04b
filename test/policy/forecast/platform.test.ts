// Tests the platform costs that a forecast counts. test/cost/ compares the constants with measurements.
import { describe, expect, test } from "vitest";
import { billOf } from "#policy/forecast/platform.ts";
import { laneCosts, perWindow } from "#schema/limits/planning/platform-costs.ts";
import { action, day, machine, T0 } from "#test/support/drive.ts";
import { connection, forecastOf, perSecond } from "./forecast-of.ts";

const call = { type: "webhook", config: { url: "https://example.com" } };
const chain = (more: object = {}) =>
  machine({
    states: { a: { on: { "action.one.ok": "b" } }, b: { on: { "action.two.ok": "done" } }, done: { type: "final" } },
    actions: [action("one", { triggerState: "a", ...more }), action("two", { triggerState: "b", ...more })],
  });
const sleeps = (...after: readonly string[]) => {
  const states = after.map((each, n) => [`s${n}`, { after: { [each]: `s${n + 1}` } }]);
  const all = { ...Object.fromEntries(states), [`s${after.length}`]: { type: "final" } };
  return machine({ initial: "s0", states: all });
};
const journey = (nodes: object, more: object = {}) => ({
  kind: "journey",
  name: "w",
  initial: Object.keys(nodes)[0],
  nodes,
  ...more,
});
const about = { subject: { var: "execution.variables.who" } };
const variables = () => ({ who: "ada" });
const counts = (body: unknown, more: object = {}) => {
  const { objectRows, objectRequests, queueMessages, catalogRows } = forecastOf(body, more).platform;
  return [objectRows, objectRequests, queueMessages, catalogRows];
};

describe("an execution with its own cell", () => {
  test("costs its start, its attempts by lane, and its end", () => {
    expect(counts(chain())).toEqual([4 + 2 + 2, 1, 1, 1 + 2 + 1]);
    // The settlement of the first attempt returns the second attempt.
    expect(counts(chain({ lane: "queue" }))).toEqual([4 + 2 + 1 + 2, 1 + 2 + 1, 2, 4]);
    // An attempt with a long timeout uses another queue, with a message of its own.
    expect(counts(chain({ lane: "queue", timeout: 60_000 }))).toEqual([4 + 4 + 2, 1 + 4, 3, 4]);
  });

  test("costs a wake for a timer, unless the object is still awake", () => {
    const [none, far, soon] = [counts(sleeps()), counts(sleeps("P1D")), counts(sleeps("PT1S"))];
    expect([none, far, soon]).toEqual([
      [6, 1, 1, 1],
      [4 + 2 + 1 + 2, 2, 2, 3 + 1],
      [4 + 2 + 1 + 2, 1, 2, 3 + 1],
    ]);
  });

  test("costs a request for each event, and an idle alarm while it waits", () => {
    const waits = machine({ states: { a: { on: { go: "b" } }, b: { type: "final" } } });
    expect(counts(waits)).toEqual([4 + 1, 1 + 1, 1, 2]);
    expect(counts(waits, { given: [{ at: "PT1H", event: "go" }] })).toEqual([4 + 1 + 1 + 2, 1 + 1 + 1, 2, 2 + 1]);
  });

  test("costs an alarm for each tick without changes", () => {
    const idle = {
      kind: "reconciler",
      name: "idle",
      tick: "PT1S",
      initial: "Up",
      desired: {},
      states: {
        Up: { rules: [{ when: { ">": [{ var: "now" }, 32_503_680_000_000] }, target: "Over" }] },
        Over: { type: "final" },
      },
    };
    const [short = [], long = []] = [10_000, 20_000].map((ms) => counts(idle, { until: T0 + ms }));
    expect(long.map((count, n) => count - Number(short[n]))).toEqual([10, 10, 0, 0]);
    // In a pooled cell one alarm wakes all executions of the cell.
    const crowd = forecastOf({ ...idle, placement: "pooled" }, { of: 100, poolSize: 1, until: T0 + 9_000 }).platform;
    expect(crowd.objectRequests).toBeLessThan(100 + 100 / 20 + 9);
  });

  test("projects its runs again after an eviction, and once for two changes in one batch", () => {
    const nodes = (for_: string) => ({
      one: { ...call, next: "rest" },
      rest: { type: "delay", for: for_, next: "two" },
      two: call,
    });
    const rows = (for_: string) => counts(journey(nodes(for_))).at(-1);
    // Rows: the end, two runs and the day's counters.
    expect(rows("PT0.9S")).toBe(1 + 2 + 1);
    // Rows: a rest with one run, the end with the other run, and the day's counters for both.
    expect(rows("PT5S")).toBe(3 + 1 + 1 + (1 + 1 + 1));
    // After an eviction the object writes both runs again.
    expect(rows("P1D")).toBe(3 + 1 + 1 + (1 + 2 + 1));
  });

  test("writes more rows for a failure, and more for one that waits for an operator", () => {
    const assume = { actions: { "*": { error: { type: "not_found" } } } };
    const handled = journey({ one: { ...call, onFailed: "over" }, over: { type: "exit" } });
    expect(counts(handled).at(-1)).toBe(1 + 1 + 1);
    expect(counts(handled, { assume }).at(-1)).toBe(1 + 1 + 2 + 1);
    // While the run waits for an operator, the execution is projected at rest until its retention ends.
    expect(counts(chain(), { assume, until: T0 + 60_000 }).at(-1)).toBe(3 + 1 + 3 + 1);
    const given = [{ at: "PT1H", cancel: {} }];
    expect(counts(sleeps("P1D"), { given }).at(-1)).toBe(3 + 2);
  });

  test("sends a message for its child, its task and its correlation key", () => {
    const starts = { type: "start_execution", config: { definition: "other", wait: true } };
    const task = { type: "task", config: { title: "look" } };
    const states = {
      a: { on: { "action.one.ok": "b", execution_completed: "b" } },
      b: { after: { PT1H: "c" } },
      c: { type: "final" as const },
    };
    const actions = [action("one", { triggerState: "a", ...starts }), action("ask", { triggerState: "b", ...task })];
    const keyed = { correlation: { key: { var: "execution.variables.who" } } };
    const plain = counts(sleeps("PT1H"));
    const said = counts({ ...machine({ states, actions }), ...keyed }, { variables });
    expect(Number(said[2])).toBeGreaterThan(Number(plain[2]));
    expect(Number(said[1])).toBeGreaterThan(Number(plain[1]));
  });

  test("costs the calls for its subject, cap, connection and list", () => {
    const crm = { type: "api_call", config: { service: "crm", endpoint: "/x" } };
    const capped = { ...about, caps: { few: { max: 5, per: "P1D" } } };
    const plain = forecastOf(journey({ a: crm }), { variables }).platform;
    const told = forecastOf(journey({ a: crm }, capped), { variables }).platform;
    const slot = forecastOf(journey({ a: { ...crm, cap: "few" } }, capped), { variables }).platform;
    // The subject's admission, the message of the end, and the row in the subject's list.
    expect(told.objectRows - plain.objectRows).toBe(5 + 1 + 2);
    expect(told.objectRequests - plain.objectRequests).toBe(1 + 1 + 2);
    expect([told.queueMessages - plain.queueMessages, told.catalogRows - plain.catalogRows]).toEqual([1, 1]);
    expect([slot.objectRows - told.objectRows, slot.objectRequests - told.objectRequests]).toEqual([1, 1]);
    const limited = forecastOf(journey({ a: crm }), {
      connections: [connection("crm", { rate: perSecond(1) })],
      slices: 1,
    });
    expect(limited.platform.objectRequests - plain.objectRequests).toBe(2);
    expect(limited.platform.objectRows - plain.objectRows).toBe(5);
    const rests = { a: { ...crm, next: "wait" }, wait: { type: "delay", for: "P1D" } };
    const [without, within] = [journey(rests), journey(rests, about)].map((body) => counts(body, { variables }).at(-1));
    expect(Number(within) - Number(without)).toBe(2 + 1);
  });
});

describe("executions in pooled cells", () => {
  const pooled = (more: object = {}) => ({ ...chain(more), placement: "pooled" });
  const apart = (member: number): number => T0 + member * 1_100;

  test("share alarms and messages with their cell, and the day's row with all", () => {
    const one = forecastOf(pooled(), { of: 1, poolSize: 1 }).platform;
    expect(one).toEqual({ objectRows: 3 + 1, objectRequests: 1 + 1, queueMessages: 1, catalogRows: 4 });
    const many = forecastOf(pooled(), { of: 1_000, poolSize: 4 }).platform;
    expect(many.objectRows).toBe(3_000 + 4);
    expect(many.catalogRows).toBe(3_000 + 1);
    // Four cells, with messages of a hundred runs each.
    expect(many.queueMessages).toBe(4 + 2_000 / 100);
    const spread = forecastOf(pooled(), { of: 1_000, poolSize: 4, startAt: apart }).platform;
    expect(spread.queueMessages).toBeGreaterThan(900);
  });

  test("started by a list cost one request per cell and slice", () => {
    const alone = forecastOf(pooled(), { of: 640, poolSize: 16 }).platform.objectRequests;
    const listed = forecastOf(pooled(), { of: 640, poolSize: 16, slices: 1 }).platform.objectRequests;
    // The list's object costs one request more.
    expect(alone - listed).toBe(640 - 16 - 1);
  });

  test("cost the same if each simulated one represents several", () => {
    const list = (of: number, played: number) =>
      forecastOf(pooled(), { of, played, startAt: (n) => apart((n * of) / played), slices: 1 }).platform;
    const all = list(2_000, 2_000);
    for (const played of [500, 50]) {
      const some = list(2_000, played);
      for (const what of ["objectRows", "objectRequests", "queueMessages", "catalogRows"] as const)
        expect(Math.abs(some[what] / all[what] - 1), `${what} of ${played}`).toBeLessThan(0.1);
    }
  });

  test("cost no more than own cells in any lane", () => {
    for (const lane of Object.keys(laneCosts.own) as (keyof typeof laneCosts.own)[])
      expect(billOf(laneCosts.pooled[lane]).dollars, lane).toBeLessThanOrEqual(billOf(laneCosts.own[lane]).dollars);
    expect(Object.values(perWindow).every(({ ms }) => ms > 0)).toBe(true);
  });
});

test("the bill uses the platform's prices per million", () => {
  const million = { objectRows: 1e6, objectRequests: 1e6, queueMessages: 1e6, catalogRows: 1e6 };
  expect(billOf(million)).toEqual({ ...million, dollars: 3.35 });
  expect(billOf({ ...million, objectRows: 0, queueMessages: 0, catalogRows: 0 }).dollars).toBe(0.15);
});

test("a forecast of some days costs the same whatever its start", () => {
  const late = forecastOf(chain(), { startAt: () => Date.UTC(2027, 0, 1) }).platform;
  expect(late).toEqual(forecastOf(chain(), { until: Date.UTC(2026, 0, 1) + 900 * day }).platform);
});
