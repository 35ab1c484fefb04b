// What the platform counts of an execution, and what it asks for that. Held against the meter by test/cost/.
import { describe, expect, test } from "vitest";
import { billOf } from "#policy/forecast/platform.ts";
import { action, day, machine, T0 } from "#test/support/drive.ts";
import { connection, forecastOf, perSecond } from "./crowd-of.ts";

const chain = (more: object = {}) =>
  machine({
    states: { a: { on: { "action.one.ok": "b" } }, b: { on: { "action.two.ok": "done" } }, done: { type: "final" } },
    actions: [action("one", { triggerState: "a", ...more }), action("two", { triggerState: "b", ...more })],
  });

describe("an execution", () => {
  test("costs a row a commit, and in the queue lane its calls and its first message", () => {
    // Table and definition three, commits three, alarms two.
    expect(forecastOf(chain(), {}).platform).toEqual({
      objectRows: 8,
      objectRequests: 1,
      queueMessages: 1,
      catalogRows: 4,
    });
    expect(forecastOf(chain({ lane: "queue" }), {}).platform).toMatchObject({ objectRequests: 4, queueMessages: 2 });
    // A slow one travels by a queue of its own, and is never brought along.
    const slow = chain({ lane: "queue", timeout: 60_000 });
    expect(forecastOf(slow, {}).platform).toMatchObject({ objectRequests: 5, queueMessages: 3 });
  });

  test("that sleeps long is woken now and then, and an alarm that was left is set anew", () => {
    const sleeps = machine({ states: { a: { after: { P200D: "b" } }, b: { type: "final" } } });
    // Its alarm goes in hops of ninety days.
    expect(forecastOf(sleeps, {}).platform.objectRequests).toBe(4);
    const called = machine({
      states: { a: { on: { "action.call.ok": "b" } }, b: { after: { P1D: "c" } }, c: { type: "final" } },
      actions: [action("call", { triggerState: "a" })],
    });
    const assume = { actions: { call: { takes: "PT3S" } } };
    expect(forecastOf(called, { assume }).platform.objectRequests).toBe(3);
  });

  test("that waits for a second is woken from memory, and for more by its alarm", () => {
    const waits = (after: string) => machine({ states: { a: { after: { [after]: "b" } }, b: { type: "final" } } });
    const [near, far] = [forecastOf(waits("PT1S"), {}), forecastOf(waits("PT3S"), {})].map(({ platform }) => platform);
    expect([near?.objectRequests, far?.objectRequests]).toEqual([1, 2]);
    expect(Number(far?.objectRows) - Number(near?.objectRows)).toBe(1);
  });

  test("whose alarm stands near behind what comes next leaves it there", () => {
    const ticks = (...after: readonly string[]) => {
      const states = after.map((each, n) => [`s${n}`, { after: { [each]: `s${n + 1}` } }]);
      return machine({
        initial: "s0",
        states: { ...Object.fromEntries(states), [`s${after.length}`]: { type: "final" } },
      });
    };
    const [one, two] = [forecastOf(ticks("PT1S"), {}), forecastOf(ticks("PT0.5S", "PT0.5S"), {})];
    // The commit in between, and no alarm.
    expect(two.platform.objectRows - one.platform.objectRows).toBe(1);
    expect(two.platform.objectRequests).toBe(one.platform.objectRequests);
  });

  test("that waits for somebody is woken once in vain, after its lists were told", () => {
    const waits = machine({ states: { a: { on: { go: "b" } }, b: { type: "final" } } });
    const given = [{ at: "PT1H", event: "go" }];
    // Its start, the event, and the alarm between them.
    expect(forecastOf(waits, { given }).platform.objectRequests).toBe(3);
    expect(forecastOf(waits, {}).platform).toMatchObject({ objectRequests: 1, objectRows: 5 });
  });

  test("of which one settlement brings one run along, and sends a message for the other", () => {
    const both = machine({
      lane: "queue" as const,
      concurrency: 2,
      states: { a: { on: { "action.one.ok": "b" } }, b: { on: { "action.two.ok": "c" } }, c: { type: "final" } },
      actions: [
        action("one", { triggerState: "a" }),
        action("two", { triggerState: "b" }),
        action("three", { triggerState: "b", cancelOnExit: false }),
      ],
    });
    expect(forecastOf(both, {}).platform.queueMessages).toBe(3);
  });

  test("that goes on and on fills pages of its journal", () => {
    const often = machine({
      states: { a: {} },
      actions: [action("ping", { triggerState: "a", schedule: "0 * * * *" })],
    });
    const { objectRows } = forecastOf(often, { until: Date.UTC(2030, 0, 1) }).platform;
    expect(objectRows).toBeGreaterThan(500);
  });

  test("tells the lists of what fails, twice over: such rows are looked for", () => {
    const assume = { actions: { "*": { error: { type: "not_found" } } } };
    const ok = forecastOf(chain(), {}).platform.catalogRows;
    expect(forecastOf(chain(), { assume }).platform.catalogRows).toBeGreaterThan(ok);
  });

  test("is told once in a batch, and again in the next one, index by index", () => {
    const call = { type: "webhook", config: { url: "https://example.com" } };
    const rows = (for_: string): number => {
      const nodes = { one: { ...call, next: "rest" }, rest: { type: "delay", for: for_, next: "two" }, two: call };
      const body = { kind: "journey", name: "w", subject: { var: "execution.variables.who" }, initial: "one", nodes };
      return forecastOf(body, { variables: () => ({ who: "ada" }) }).platform.catalogRows;
    };
    // Itself, by its subject, two runs, and the day.
    expect(rows("PT0.9S")).toBe(5);
    // Itself, by its status, wake, subject and what is next, a run, and the day; then itself, by its subject, the other, the day.
    expect(rows("PT1.1S")).toBe(7 + 4);
  });

  test("shares its batches with all others, of which each holds so many messages", () => {
    const about = (of: number, more: object = {}) => forecastOf(chain(), { of, ...more }).platform.catalogRows;
    // Itself, and two runs; a day's row for each hundred.
    expect([about(100), about(101), about(250)]).toEqual([301, 305, 753]);
    expect(about(250, { startAt: (member: number) => T0 + Math.floor(member / 25) * 1_000 })).toBe(760);
    // Few that are played stand for as many messages.
    expect([about(1_000, { played: 10 }), about(10_000, { played: 10 })]).toEqual([3_010, 30_100]);
  });

  test("that starts another, asks a person or listens under a key sends for that", () => {
    const starts = { type: "start_execution", config: { definition: "other", wait: true } };
    const task = { type: "task", config: { title: "look" } };
    const parts = machine({
      states: {
        a: { on: { "action.one.ok": "b", execution_completed: "b" } },
        b: { after: { PT1H: "c" } },
        c: { type: "final" },
      },
      actions: [action("one", { triggerState: "a", ...starts }), action("ask", { triggerState: "b", ...task })],
    });
    const said = forecastOf(
      { ...parts, correlation: { key: { var: "execution.variables.order" } } },
      { variables: () => ({ order: "1" }) },
    );
    // What one step has for a parent, a task and the directory travels in one message.
    expect(said.platform.queueMessages).toBe(4);
  });

  test("about somebody, under a cap, through a connection and started by a list costs what those do", () => {
    const crm = { type: "api_call", config: { service: "crm", endpoint: "/x" } };
    const body = (more: object) => ({ kind: "journey", name: "w", initial: "a", nodes: { a: { ...crm, ...more } } });
    const about = { subject: { var: "execution.variables.who" }, caps: { few: { max: 5, per: "P1D" } } };
    const variables = () => ({ who: "ada" });
    const plain = forecastOf(body({}), { variables }).platform;
    const told = forecastOf({ ...body({}), ...about }, { variables }).platform;
    const capped = forecastOf({ ...body({ cap: "few" }), ...about }, { variables }).platform;
    expect([told.objectRequests - plain.objectRequests, capped.objectRequests - told.objectRequests]).toEqual([4, 1]);
    const limited = forecastOf(body({}), { connections: [connection("crm", { rate: perSecond(1) })], slices: 1 });
    expect([
      limited.platform.objectRequests - plain.objectRequests,
      limited.platform.objectRows - plain.objectRows,
    ]).toEqual([2, 5]);
  });
});

describe("those of a pool", () => {
  const pooled = (more: object = {}) => ({ ...chain(more), placement: "pooled" });
  const apart = (member: number): number => T0 + member * 1_100;

  test("share a cell's table, and its messages to the lists", () => {
    const { objectRows, objectRequests, queueMessages, catalogRows } = forecastOf(pooled(), { of: 1 }).platform;
    // Table and definition three, commits three, an alarm; one start; one message.
    expect([objectRows, objectRequests, queueMessages, catalogRows]).toEqual([7, 1, 1, 4]);
    // A hundred at once are in four cells: each tells of some twenty-five in one message. What they use is told by the twenty.
    const many = forecastOf(pooled(), { of: 100 }).platform;
    expect([many.objectRows, many.objectRequests, many.queueMessages]).toEqual([4 * 3 + 300 + 4, 100 + 15, 4]);
    // A thousand: eight messages a cell, for they are billed by their bytes.
    expect(forecastOf(pooled(), { of: 1_000 }).platform.queueMessages).toBe(4 * 8);
  });

  test("of a list go where their keys say, and a slice's share of a cell is one call", () => {
    const { objectRequests } = forecastOf(pooled(), { of: 640, slices: 1 }).platform;
    const own = forecastOf(chain(), { of: 640, slices: 1 }).platform.objectRequests;
    expect(own - objectRequests).toBe(640 - 16);
  });

  test("are woken together, by an alarm that is moved earlier alone", () => {
    const waits = machine({ states: { a: { after: { PT1H: "b" } }, b: { type: "final" } } });
    const together = forecastOf({ ...waits, placement: "pooled" }, { of: 100 }).platform;
    // Each cell's alarm is first for its lists, then for all of them.
    const alone = forecastOf(waits, { of: 100 }).platform;
    expect(alone.objectRequests - together.objectRequests).toBe(100 - 4 * 2);
    expect(together.objectRows).toBe(4 * 3 + 200 + 4 * 3);
  });

  test("are in as many cells as their tenant's pool has", () => {
    const rows = (poolSize: number) => forecastOf(pooled(), { of: 640, poolSize }).platform.objectRows;
    expect(rows(8) - rows(1)).toBe(7 * 4);
  });

  test("wait for a second without their alarm, which stands behind all of them", () => {
    const waits = (after: string) => {
      const states = { a: { after: { [after]: "b" } }, b: { type: "final" as const } };
      return forecastOf({ ...machine({ states }), placement: "pooled" }, { of: 100, poolSize: 1 }).platform;
    };
    expect(waits("PT3S").objectRequests - waits("PT1S").objectRequests).toBe(1);
    expect(waits("PT3S").objectRows - waits("PT1S").objectRows).toBe(1);
  });

  test("cost as much where each that is played stands for several", () => {
    const all = forecastOf(pooled(), { of: 2_000, startAt: apart, slices: 1 }).platform;
    const startAt = (member: number): number => apart(member * 4);
    const some = forecastOf(pooled(), { of: 2_000, played: 500, startAt, slices: 1 }).platform;
    const few = forecastOf(pooled(), {
      of: 2_000,
      played: 50,
      startAt: (member) => apart(member * 40),
      slices: 1,
    }).platform;
    for (const what of ["objectRows", "objectRequests", "queueMessages", "catalogRows"] as const) {
      expect(Math.abs(some[what] / all[what] - 1)).toBeLessThan(0.1);
      expect(Math.abs(few[what] / all[what] - 1)).toBeLessThan(0.1);
    }
  });
});

test("the bill is what the platform asks for a million", () => {
  const counts = { objectRows: 1e6, objectRequests: 1e6, queueMessages: 1e6, catalogRows: 1e6 };
  expect(billOf(counts)).toEqual({ ...counts, dollars: 3.35 });
  expect(billOf({ ...counts, objectRows: 0, queueMessages: 0, catalogRows: 0 }).dollars).toBe(0.15);
});

test("what is over in days costs as much, whenever it begins", () => {
  const late = forecastOf(chain(), { startAt: () => Date.UTC(2027, 0, 1) }).platform;
  expect(late).toEqual(forecastOf(chain(), { until: Date.UTC(2026, 0, 1) + 900 * day }).platform);
});
