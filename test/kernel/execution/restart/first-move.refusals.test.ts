// Refused restarts, and their messages.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { RestartPoint } from "#schema/family/restart.ts";
import { ask, drive, driveProgram } from "#test/support/drive.ts";
import { act, journey } from "../../programs/journey/drive-journey.ts";
import { order, run, type Told } from "./again.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

describe("is refused", () => {
  const trip = journey({
    initial: "one",
    exitWhen: [{ event: "off", outcome: "canceled", compensate: true }],
    nodes: {
      one: act("two", { undo: { type: "webhook", config: { url: "https://example.com" } } }),
      two: { type: "wait", for: [{ event: "never" }] },
    },
  });
  const at = (definition: Definition, t: Told, from: RestartPoint) => {
    const programs = [compile(definition), compile(definition)] as const;
    const { id, createdAt, position } = t.state;
    const start = ask.start();
    const restart = { execution: id, incarnation: createdAt, from, reason: null, position, made: [] };
    const command = start.kind === "start" ? { ...start, execution: "exe_2", restart } : start;
    return driveProgram(programs).refused(command);
  };

  test.each<[string, Definition, RestartPoint, string, readonly string[], string]>([
    ["at a state that is not there", order, { state: "labl" }, "not_found", ["sample", "labl"], naming("label")],
    [
      "at one without a similar name",
      order,
      { state: "qqqqqqqq" },
      "not_found",
      ["sample", "qqqqqqqq"],
      naming("label, pack"),
    ],
    ["at a node of a machine", order, { node: "label" }, "not_allowed", ["state"], naming('{"state": …}')],
    ["at a final state", order, { state: "done" }, "not_allowed", ["done", "final"], notNaming("label")],
  ])("%s", (_what, definition, from, code, named, hint) => {
    const refusal = at(definition, drive(order).start({ n: 1 }), from);
    expect(refusal).toMatchObject({ code: "invalid_input", message: naming(...named), hint });
    expect(refusal.errors).toMatchObject([{ pointer: `/from/${"state" in from ? "state" : "node"}`, code }]);
  });

  test("at a state of a journey, and at a node that is not there", () => {
    const t = run(trip).start();
    expect(at(trip, t, { state: "one" })).toMatchObject({
      message: naming("node"),
      errors: [{ pointer: "/from/state", code: "not_allowed" }],
    });
    expect(at(trip, t, { node: "on" })).toMatchObject({
      hint: naming("one"),
      errors: [{ pointer: "/from/node", code: "not_found" }],
    });
  });

  test("of one that was of another kind", () => {
    expect(at(order, run(trip).start(), { state: "label" })).toMatchObject({ code: "verb_not_applicable" });
  });

  test("of one that has taken back what it had done", () => {
    const t = run(trip).start().ok("one").event("off").ok("one:undo");
    expect(at(trip, t, { node: "two" }).code).toBe("verb_not_applicable");
  });
});
