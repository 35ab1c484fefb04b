// Virtual runs of a journey: the example of the wedding, and the assumptions behind each step.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { forceBranches } from "#kernel/virtual/force-branches.ts";
import { placesOf } from "#kernel/programs/place-names.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import { definition } from "#schema/definition/definition.ts";
import { machine } from "#test/support/drive.ts";
import { line, play } from "./played.ts";

const anchored = (offset: string, at: string, more = {}) => ({
  anchor: { var: "execution.variables.weddingDate" },
  offset,
  at,
  ...more,
});

const wedding = {
  kind: "journey",
  name: "wedding",
  timezone: "Europe/Zurich",
  delays: {
    sixWeeks: anchored("-P42D", "09:00", { ifPast: { runWithin: "P21D" } }),
    dayAfter: anchored("P1D", "10:00"),
  },
  windows: {
    polite: { days: "MON-SAT", from: "09:00", to: "20:00", timezone: { var: "execution.variables.timezone" } },
  },
  initial: ["timeline", "thanks"],
  nodes: {
    timeline: { type: "email", delay: "sixWeeks", config: { to: "a@b.c" }, next: "answer" },
    answer: {
      type: "wait",
      for: [{ event: "timeline.answered", assign: { full: { var: "message.payload.full" } }, next: "check" }],
      timeout: { after: "P7D", next: "nudge" },
    },
    check: { type: "branch", cases: [{ guard: { var: "execution.variables.full" } }, { next: "call" }] },
    nudge: { type: "sms", window: "polite", config: { to: "+41790000000" }, next: "call" },
    call: { type: "task", join: "any", config: { title: "Call them" } },
    thanks: { type: "email", delay: "dayAfter", config: { to: "a@b.c" } },
  },
};
// A Monday, 09:00 UTC; the wedding is on a Saturday in July.
const variables = { weddingDate: "2026-07-11", timezone: "Asia/Tokyo" };

const told = (given: Parameters<typeof play>[1] = {}) =>
  play(wedding, { variables, ...given }).actions.map((each) => [
    each.action,
    new Date(each.at ?? 0).toISOString(),
    each.assumes,
  ]);

describe("a journey's virtual run", () => {
  test("says when each step comes, in whose zone, and what it hangs on", () => {
    const answered = [
      { kind: "succeeds", of: "timeline" },
      { kind: "silence", of: "answer" },
    ];
    expect(told()).toEqual([
      ["timeline", "2026-05-30T07:00:00.000Z", []],
      // A week later, 16:00 on a Saturday in Tokyo.
      ["nudge", "2026-06-06T07:00:00.000Z", answered],
      ["call", "2026-06-06T07:00:00.000Z", [...answered, { kind: "succeeds", of: "nudge" }]],
      ["thanks", "2026-07-12T08:00:00.000Z", []],
    ]);
    const zones = play(wedding, { variables }).actions.map(({ action, timezone }) => [action, timezone]);
    expect(zones).toContainEqual(["nudge", "Asia/Tokyo"]);
    expect(zones).toContainEqual(["thanks", "Europe/Zurich"]);
    const lost = play(wedding, { variables: { ...variables, timezone: "Mars/Olympus" } }).actions;
    expect(lost.find(({ action }) => action === "nudge")?.timezone).toBe("Europe/Zurich");
  });

  test("waits for the door to open, and counts on from when it was planned", () => {
    // In Lima it is 02:00 when the week is over.
    const [, nudge] = play(wedding, { variables: { ...variables, timezone: "America/Lima" } }).actions;
    const at = (ms: number | null | undefined) => new Date(ms ?? 0).toISOString();
    expect([at(nudge?.plannedAt), at(nudge?.at), nudge?.heldBy]).toEqual([
      "2026-06-06T07:00:00.000Z",
      "2026-06-06T14:00:00.000Z",
      "window",
    ]);
  });

  test("goes as the events say, and says that it does", () => {
    const answered = (full: boolean) =>
      told({ given: [{ at: { reached: "answer", after: "P1D" }, event: "timeline.answered", payload: { full } }] });
    expect(answered(false).slice(1, 2)).toEqual([
      [
        "call",
        "2026-05-31T07:00:00.000Z",
        [
          { kind: "succeeds", of: "timeline" },
          { kind: "event", of: "timeline.answered" },
        ],
      ],
    ]);
    expect(answered(true).map(([action]) => action)).toEqual(["timeline", "thanks"]);
  });

  test("takes the ways that it is forced to take", () => {
    const given = [{ at: { reached: "answer" }, event: "timeline.answered", payload: { full: true } }];
    const made = forceBranches(definition.parse(wedding), { check: "call" });
    if (!made.ok) throw new Error("it has that way");
    expect(
      play(null, { program: compile(made.definition), variables, given }).actions.map(({ action }) => action),
    ).toEqual([...["timeline", "call", "thanks"]]);
    const split = {
      kind: "journey",
      name: "split",
      initial: "draw",
      nodes: {
        draw: { type: "split", ways: [{ weight: 1, next: "a" }, { weight: 99, next: "b" }, { weight: 1 }], next: "c" },
        a: { type: "email", config: {} },
        b: { type: "email", config: {} },
        c: { type: "email", config: {} },
      },
    };
    const drawn = ["a", "b", "c"].map((to) => {
      const way = forceBranches(definition.parse(split), { draw: to });
      return way.ok && play(null, { program: compile(way.definition) }).actions.map(line);
    });
    expect(drawn).toEqual(["a", "b", "c"].map((to) => [`${to} ok at 0d 00:00`]));
  });

  test("cannot be forced where there is no such way", () => {
    const refused = (branches: NonNullable<Assumptions["branches"]>) => {
      const made = forceBranches(definition.parse(wedding), branches);
      return made.ok ? [] : made.unforced.map(({ node }) => node);
    };
    expect(refused({ check: "nudge" })).toEqual(["check"]);
    expect(refused({ timeline: "answer", nothing: "call" })).toEqual(["timeline", "nothing"]);
    expect(refused({})).toEqual([]);
    const other = machine({ states: { a: {} } });
    expect([forceBranches(other, {}).ok, forceBranches(other, { a: "b" }).ok]).toEqual([true, false]);
    const split = {
      kind: "journey",
      name: "s",
      initial: "draw",
      nodes: { draw: { type: "split", ways: [{ weight: 1 }] } },
    };
    expect(forceBranches(definition.parse(split), { draw: "x" }).ok).toBe(false);
  });

  test("hangs on all that it joins", () => {
    const joined = {
      kind: "journey",
      name: "joined",
      concurrency: 3,
      initial: ["a", "fork", "pause"],
      nodes: {
        a: { type: "email", config: {}, next: "end" },
        fork: { type: "branch", cases: [{ next: "b" }] },
        b: { type: "email", config: {}, delay: "P1D", next: "end" },
        pause: { type: "delay", for: "P2D", next: "end" },
        end: { type: "email", config: {} },
      },
    };
    const run = play(joined);
    expect(run.actions.map(line)).toEqual(["a ok at 0d 00:00", "b ok at 1d 00:00", "end ok at 2d 00:00"]);
    expect(run.actions[2]?.assumes).toEqual([
      { kind: "succeeds", of: "a" },
      { kind: "succeeds", of: "b" },
    ]);
  });

  test("has its nodes for places", () => {
    expect(placesOf(definition.parse(wedding))).toEqual(["timeline", "answer", "check", "nudge", "call", "thanks"]);
  });
});
