// Where an execution cannot go on, and what is said to whoever asks for it.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Place } from "#schema/family/restart.ts";
import { ask, drive, driveProgram } from "#test/support/drive.ts";
import { act, journey } from "../../programs/journey/go.ts";
import { order, run, type Told } from "./again.ts";

describe("is refused", () => {
  const trip = journey({
    initial: "one",
    exitWhen: [{ event: "off", outcome: "canceled", compensate: true }],
    nodes: {
      one: act("two", { undo: { type: "webhook", config: { url: "https://example.com" } } }),
      two: { type: "wait", for: [{ event: "never" }] },
    },
  });
  const at = (definition: Definition, t: Told, from: Place) => {
    const programs = [compile(definition), compile(definition)] as const;
    const { id, createdAt, position } = t.state;
    const start = ask.start();
    const restart = { execution: id, incarnation: createdAt, from, reason: null, position, made: [] };
    const command = start.kind === "start" ? { ...start, execution: "exe_2", restart } : start;
    return driveProgram(programs).refused(command);
  };

  test.each<[string, Definition, Place, string, string]>([
    ["at a state that is not there", order, { state: "labl" }, "sample has no state labl", "Did you mean label?"],
    [
      "at one that nobody could have meant",
      order,
      { state: "qqqqqqqq" },
      "sample has no state qqqqqqqq",
      "There are: label, pack",
    ],
    ["at a node of a machine", order, { node: "label" }, "a machine begins at a state", 'Send {"state": …}.'],
    [
      "at a final state",
      order,
      { state: "done" },
      "done is of the type final: nothing begins there",
      "Name another place.",
    ],
  ])("%s", (_what, definition, from, message, hint) => {
    const refusal = at(definition, drive(order).start({ n: 1 }), from);
    expect(refusal).toMatchObject({ code: "invalid_input", message, hint: expect.stringContaining(hint) });
    expect(refusal.errors).toMatchObject([{ pointer: `/from/${"state" in from ? "state" : "node"}` }]);
  });

  test("at a state of a journey, and at a node that is not there", () => {
    const t = run(trip).start();
    expect(at(trip, t, { state: "one" })).toMatchObject({ message: "a journey begins at a node" });
    expect(at(trip, t, { node: "on" })).toMatchObject({ hint: "Did you mean one?" });
  });

  test("of one that was of another kind", () => {
    expect(at(order, run(trip).start(), { state: "label" })).toMatchObject({ code: "verb_not_applicable" });
  });

  test("of one that has taken back what it had done", () => {
    const t = run(trip).start().ok("one").event("off").ok("one:undo");
    expect(at(trip, t, { node: "two" })).toMatchObject({
      code: "verb_not_applicable",
      message: "it has taken back what it had done",
    });
  });
});
