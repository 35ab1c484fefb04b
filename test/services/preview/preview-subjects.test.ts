// Virtual runs of many subjects, one after the other or on one clock, and their limits.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { openPlayBudget } from "#kernel/virtual/virtual-run.ts";
import { PREVIEW_CONFIG_BYTES_MAX, PREVIEW_CONTENTS_BYTES_MAX } from "#schema/limits/planning/previews.ts";
import { type Simulation } from "#services/preview/virtual-subjects.ts";
import { previewSubjects } from "#services/preview/preview-subjects.ts";
import { definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, day, hour, machine, T0 } from "#test/support/drive.ts";

const minutely = machine({
  states: { a: {} },
  actions: [action("ping", { triggerState: "a", schedule: "* * * * *" })],
});

function playing(definition: Parameters<typeof compile>[0], part: Partial<Simulation> = {}): Simulation {
  const ref = { id: "def_1", name: "sample", version: 1 };
  const program = compile(definition);
  return {
    program,
    ref,
    tenant: "acme",
    until: T0 + 100 * day,
    from: null,
    assume: {},
    contents: false,
    purse: openPlayBudget(),
    connections: null,
    policies: [],
    patch: null,
    ...part,
  };
}

function crowd(count: number, variables = {}) {
  return Array.from({ length: count }, (_, n) => ({
    id: `s${n}`,
    execution: `exe_s${n}`,
    variables,
    startAt: T0,
    given: [],
  }));
}

function calendarOf(...asked: Parameters<typeof previewSubjects>) {
  return computeAtOnce(previewSubjects(...asked));
}

describe("many subjects", () => {
  test("cost no more together than one request may, and the rest is counted", () => {
    const few = calendarOf(playing(minutely, { purse: { steps: 2_500, work: 1_000_000, units: 0 } }), crowd(10));
    expect([few.ends.map(({ cut }) => cut), few.left]).toEqual([["actions", "steps"], 8]);
    const cheap = calendarOf(playing(minutely, { purse: { steps: 2_500, work: 100, units: 0 } }), crowd(3));
    expect([cheap.ends.map(({ cut }) => cut), cheap.left]).toEqual([["work"], 2]);
  });

  test("show as many configs as the answer may contain", () => {
    const large = { url: "https://example.com", text: "{{ execution.variables.text }}" };
    const mail = machine({ states: { a: {} }, actions: [action("mail", { triggerState: "a", config: large })] });
    const shown = (bytes: number, count: number) => {
      const { rows } = calendarOf(playing(mail, { contents: true }), crowd(count, { text: "x".repeat(bytes) }));
      return rows.filter(({ expected }) => expected.config !== null).length;
    };
    expect(shown(PREVIEW_CONFIG_BYTES_MAX, 1)).toBe(0);
    const each = PREVIEW_CONFIG_BYTES_MAX - 100;
    const fit = Math.floor(PREVIEW_CONTENTS_BYTES_MAX / (each + JSON.stringify({ ...large, text: "" }).length));
    expect(shown(each, fit + 10)).toBe(fit);
  });
});

describe("a subject whose action fails permanently", () => {
  const failing = (node: JsonObject) => {
    const nodes = { a: { type: "webhook", config: { url: "https://example.com" }, ...node } };
    const journey = definition.parse({ kind: "journey", name: "failing", initial: "a", nodes });
    const assume = { actions: { a: { outcome: "failed" as const } } };
    const { ends } = calendarOf(playing(journey, { assume }), crowd(1));
    return ends.map(({ status, reason }) => [status, reason]);
  };

  test.each([
    ["by default", {}, "failed"],
    ["with a dead letter", { onExhausted: "deadLetter" }, "failed"],
  ])("waits for an operator %s", (_, node, status) => {
    expect(failing(node)).toEqual([[status, "waits_for_operator"]]);
  });

  test("needs no operator if the definition decides", () => {
    expect(failing({ onExhausted: "fail" })).toEqual([["failed", null]]);
  });
});

describe("with connections", () => {
  const call = machine({
    states: { a: {} },
    actions: [action("call", { triggerState: "a", type: "api_call", config: { service: "crm", endpoint: "/x" } })],
  });
  const crm = (calls: number) => {
    return {
      name: "crm",
      provider: "http",
      terms: { rate: { calls, perMs: 60_000, burst: 1 }, concurrency: null, breaker: null },
    };
  };
  const minutes = (part: Partial<Simulation>, count = 3) => {
    const { rows, left } = calendarOf(playing(call, part), crowd(count));
    return [
      ...rows.map(({ subject, expected: { at, heldBy } }) => `${subject} ${(Number(at) - T0) / 60_000} ${heldBy}`),
      left,
    ];
  };

  test("subjects of one rate limit delay each other", () => {
    expect(minutes({ connections: [crm(1)] })).toEqual(["s0 0 null", "s1 1 rate_limited", "s2 2 rate_limited", 0]);
    expect(minutes({ connections: [] })).toEqual(["s0 0 null", "s1 0 null", "s2 0 null", 0]);
    expect(minutes({ connections: null })).toEqual(["s0 0 null", "s1 0 null", "s2 0 null", 0]);
  });
});

describe("quiet hours of the tenant", () => {
  test("hold a message until the opening, which the calendar shows", () => {
    const send = { type: "webhook", config: { url: "https://example.com" } };
    const sent = definition.parse({
      kind: "journey",
      name: "quiet",
      initial: "a",
      nodes: { a: { ...send, next: "b" }, b: { ...send, quietHours: "ignore" } },
    });
    const window = { from: "12:00", to: "20:00", timezone: { var: "execution.variables.zone" } };
    const night = { name: "night", kind: "quiet_hours", updatedAt: 1, types: ["webhook"], window } as const;
    const policies = [{ ...night, types: [...night.types] }];
    const { rows } = calendarOf(playing(sent, { policies }), crowd(1, { zone: "UTC" }));
    expect(rows.map(({ expected: { action, at, heldBy } }) => [action, (Number(at) - T0) / 3_600_000, heldBy])).toEqual(
      [
        ["a", 3, "quiet_hours"],
        ["b", 3, null],
      ],
    );
    const shared = calendarOf(playing(sent, { policies, connections: [] }), crowd(1, { zone: "UTC" }));
    expect(shared.rows.map(({ expected: { at } }) => (Number(at) - T0) / 3_600_000)).toEqual([3, 3]);
  });
});

describe("caps", () => {
  const send = { type: "webhook", config: { url: "https://example.com" }, cap: "gentle" };
  const capped = (over: "wait" | "skip") =>
    definition.parse({
      kind: "journey",
      name: "capped",
      subject: { var: "execution.variables.who" },
      caps: { gentle: { max: 1, per: "P7D", over } },
      initial: "a",
      nodes: { a: { ...send, next: "b" }, b: { ...send, next: "c" }, c: { ...send, cap: undefined } },
    });
  const machineCapped = (over: "wait" | "skip") => {
    const on = (id: string, to: string) => ({ [`action.${id}.ok`]: to, [`action.${id}.skipped`]: to });
    return machine({
      caps: { gentle: { max: 1, per: "P7D", over, subject: { var: "execution.variables.who" } } },
      states: {
        a: { entry: ["a"], on: on("a", "b") },
        b: { entry: ["b"], on: on("b", "c") },
        c: { entry: ["c"], on: on("c", "end") },
        end: { type: "final" },
      },
      actions: [{ ...action("a"), cap: "gentle" }, { ...action("b"), cap: "gentle" }, action("c")],
    });
  };
  const kinds = [
    ["a journey", capped],
    ["a machine", machineCapped],
  ] as const;
  const calendar = (definition: Parameters<typeof playing>[0]) => {
    const { rows } = calendarOf(playing(definition), crowd(1, { who: "ada" }));
    return rows.map(({ expected: { action, status, at, heldBy } }) => [
      action,
      status,
      (Number(at) - T0) / day,
      heldBy,
    ]);
  };

  test.each(kinds)("one action of %s above a cap waits for the next slot", (_kind, definitionOf) => {
    expect(calendar(definitionOf("wait"))).toEqual([
      ["a", "ok", 0, null],
      ["b", "ok", 7, "cap"],
      ["c", "ok", 7, null],
    ]);
  });

  test.each(kinds)("or is skipped, and %s continues", (_kind, definitionOf) => {
    expect(calendar(definitionOf("skip"))).toEqual([
      ["a", "ok", 0, null],
      ["b", "skipped", 0, null],
      ["c", "ok", 0, null],
    ]);
  });
});

test("an action of a machine waits for its window", () => {
  const definition = machine({
    windows: { late: { from: "10:30", to: "12:00", timezone: { var: "execution.variables.zone" } } },
    states: { a: { entry: ["mail"] } },
    actions: [{ ...action("mail"), window: "late" }],
  });
  const { rows } = calendarOf(playing(definition), crowd(1, { zone: "Europe/London" }));
  expect(rows).toMatchObject([
    { expected: { action: "mail", status: "ok", at: T0 + 1.5 * hour, heldBy: "window", timezone: "Europe/London" } },
  ]);
});
