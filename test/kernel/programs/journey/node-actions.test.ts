// The actions of a journey's nodes.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { actionsOf, undoActionId } from "#kernel/programs/journey/node-actions.ts";
import { journeyFindings } from "#kernel/verify/journey/journey.ts";
import { act, journey } from "./drive-journey.ts";

type Written = Parameters<typeof journey>[0];

const actions = (written: Written) => actionsOf(journey(written)).map(({ action }) => action);

describe("a node that acts", () => {
  test("is an action of its name, with the retries of its type, or e-mail's where that has none", () => {
    const types = ["webhook", "email", "sms", "task", "start_execution"];
    const nodes = Object.fromEntries(types.map((type, n) => [`n${n}`, { type, config: {} }]));
    expect(actions({ nodes }).map(({ actionId, type, retryPolicy }) => [actionId, type, retryPolicy])).toEqual([
      ["n0", "webhook", "email"],
      ["n1", "email", "email"],
      ["n2", "sms", "sms"],
      ["n3", "task", "task"],
      ["n4", "start_execution", "email"],
    ]);
  });

  test("says all that it says of itself", () => {
    const said = {
      condition: true,
      validUntil: "2027-01-01T00:00:00Z",
      maxLateness: "PT1H",
      disambiguation: "later" as const,
      timezone: "Europe/Zurich",
      priority: 3,
      timeout: 1_000,
      enabled: false,
      onExhausted: "pause" as const,
      lane: "queue" as const,
    };
    const [action] = actions({
      nodes: { a: act(undefined, { ...said, delay: "P1D", retryPolicy: { maxAttempts: 2 } }) },
    });
    const config = { url: "https://example.com" };
    expect(action).toEqual({
      actionId: "a",
      type: "webhook",
      config,
      ...said,
      delay: "P1D",
      retryPolicy: { maxAttempts: 2 },
    });
  });

  test("has its window and its cap written out", () => {
    const windows = { polite: { from: "09:00", to: "20:00" } };
    const caps = { gentle: { max: 3, per: "P7D" } };
    const nodes = {
      a: act(["b", "c"], { window: "polite", cap: "gentle" }),
      b: act(undefined, { window: { from: "10:00", to: "11:00" } }),
      c: act(undefined, { window: "nowhere", cap: "nowhere" }),
    };
    expect(actions({ windows, caps, nodes }).map(({ window, cap }) => [window, cap])).toEqual([
      [windows.polite, { ...caps.gentle, name: "gentle" }],
      [{ from: "10:00", to: "11:00" }, undefined],
      [undefined, undefined],
    ]);
  });
});

describe("defaults by type", () => {
  test("lie under the fields of a node, object by object in its config", () => {
    const config = { url: "https://example.com/d", headers: { a: "1", b: "2" }, body: { x: 1 } };
    const defaults = { webhook: { config, priority: 5, retryPolicy: "sms" as const } };
    const nodes = {
      a: { type: "webhook", config: { headers: { b: "3" }, body: null }, priority: 1 },
      b: { type: "webhook", next: "a" },
    };
    const [a, b] = actions({ initial: "b", defaults, nodes });
    const merged = { url: "https://example.com/d", headers: { a: "1", b: "3" }, body: null };
    expect([a?.config, a?.priority, a?.retryPolicy]).toEqual([merged, 1, "sms"]);
    expect([b?.config, b?.priority]).toEqual([config, 5]);
  });

  test("and no other type's", () => {
    const [a] = actions({ defaults: { email: { priority: 5 } }, nodes: { a: act() } });
    expect(a?.priority).toBeUndefined();
  });

  test("a type without a config has an empty one", () => {
    expect(actions({ nodes: { a: { type: "webhook" } } })[0]?.config).toEqual({});
  });
});

describe("what takes a node back", () => {
  test("is an action beside it, with the defaults of its type but for what goes forward only", () => {
    const undo = { type: "webhook", config: { url: "https://example.com/free" } };
    const defaults = {
      webhook: {
        config: { body: { by: "us" } },
        retryPolicy: "task" as const,
        timeout: 5,
        lane: "queue" as const,
        priority: 9,
      },
    };
    const [, back] = actions({ defaults, nodes: { a: act(undefined, { undo }) } });
    expect(back).toEqual({
      actionId: "a:undo",
      type: "webhook",
      config: { body: { by: "us" }, url: "https://example.com/free" },
      retryPolicy: "task",
      timeout: 5,
      lane: "queue",
      onExhausted: "pause",
    });
    expect(undoActionId("a")).toBe("a:undo");
  });

  test("needs no defaults, and has a priority of its own", () => {
    const undo = { type: "sms", config: { to: "1" }, priority: 7 };
    const [, back] = actions({ nodes: { a: act(undefined, { undo }) } });
    expect([back?.retryPolicy, back?.config, back?.priority]).toEqual(["sms", { to: "1" }, 7]);
  });
});

describe("a node that sets a field to null", () => {
  const windows = { day: { from: "09:00", to: "17:00" } };
  const caps = { gentle: { max: 1, per: "P1D" } };
  const settings = { window: "day", cap: "gentle", timeout: 5, maxLateness: "PT1H" };
  const unset = { window: null, cap: null, timeout: null, maxLateness: null };
  const part = { subject: { var: "execution.variables.id" }, windows, caps };

  test.each([
    ["has no value from the defaults of its type", { defaults: { webhook: settings } }],
    ["has no value without defaults either", {}],
  ])("%s", (_what, defaults) => {
    const node = { type: "webhook", config: {}, ...unset };
    const each = { type: "each", times: 2, node };
    const made = actions({ ...part, ...defaults, nodes: { a: act("e", unset), e: each } } as Parameters<
      typeof actions
    >[0]);
    for (const action of made) for (const field of Object.keys(unset)) expect(action).not.toHaveProperty(field);
    expect(made).toHaveLength(2);
  });

  test("is valid, and a condition of null is a rule that is false", () => {
    const nodes = {
      a: act("e", { ...unset, condition: null }),
      e: { type: "each", times: 2, node: { ...act(), ...unset } },
    };
    const [a] = actions({ ...part, nodes } as Parameters<typeof actions>[0]);
    expect(a?.condition).toBeNull();
    const written = journey({ ...part, nodes } as Parameters<typeof journey>[0]);
    expect(computeAtOnce(journeyFindings(written))).toEqual([]);
  });
});

test("what an each repeats is the action of the each itself", () => {
  const each = { type: "each", times: 3, node: { type: "email", config: { template: "x" } }, undo: { type: "sms" } };
  expect(actions({ nodes: { a: each } }).map(({ actionId, type }) => [actionId, type])).toEqual([
    ["a", "email"],
    ["a:undo", "sms"],
  ]);
});

describe("a child", () => {
  test("is started by an action that hears of its end", () => {
    const child = { type: "journey", definition: "album", variables: { n: 1 }, correlationId: "c", delay: "P1D" };
    const undo = { type: "webhook", config: { url: "https://example.com" } };
    const [start, back] = actions({ nodes: { a: { ...child, undo, onExhausted: "pause" } } });
    expect(start).toEqual({
      actionId: "a",
      type: "start_execution",
      config: { definition: "album", variables: { n: 1 }, correlationId: "c", wait: true },
      retryPolicy: "email",
      delay: "P1D",
      onExhausted: "pause",
    });
    expect(back?.actionId).toBe("a:undo");
  });

  test("has what is said of all that start executions under it", () => {
    const defaults = { start_execution: { retryPolicy: "task" as const, timeout: 7, lane: "queue" as const } };
    const [start] = actions({ defaults, nodes: { a: { type: "journey", definition: "album" } } });
    expect([start?.retryPolicy, start?.timeout, start?.lane]).toEqual(["task", 7, "queue"]);
  });
});
