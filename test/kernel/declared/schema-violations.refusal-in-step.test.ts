// The schemas of a definition for its start and events are checked before any other effect of the input.
import { describe, expect, test } from "vitest";
import { machineProgram } from "#kernel/programs/machine/machine.ts";
import { step } from "#kernel/execution/step.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { action, ask, drive, machine, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof drive>[0];

const amount: NonNullable<Part["input"]> = {
  type: "object",
  properties: { amount: { type: "number", minimum: 0 } },
  required: ["amount"],
};
const heard = { pay: { assign: { paid: { var: "message.payload.amount" } } }, next: "due" };
const statesOf = (more: object): Part["states"] => ({
  open: { on: { ...heard, ...more } },
  due: { on: { later: "done", ...more } },
  done: { type: "final" },
});
const order: Part = {
  variables: { paid: 0 },
  input: {
    type: "object",
    properties: { total: { type: "integer", description: "In cents." }, email: { type: "string", format: "email" } },
    required: ["total"],
    additionalProperties: false,
  },
  events: { pay: amount, later: amount },
  states: statesOf({ "*": {} }),
};
const narrow: Part = { ...order, states: statesOf({}) };

const started = (variables: JsonObject) =>
  step(machineProgram(machine(order)), null, { ...ask.start(variables), now: T0, room: 0 });

describe("a start", () => {
  test("with what is declared goes on", () => {
    expect(drive(order).start({ total: 5, email: "ada@example.com" }).state.variables).toEqual({
      paid: 0,
      total: 5,
      email: "ada@example.com",
    });
  });

  test("is refused with all that does not fit, each with its place", () => {
    expect(started({ total: "5", email: "ada", paid: 1 })).toEqual({
      ok: false,
      refusal: {
        code: "variables_invalid",
        message: naming("sample@1", "/variables/total", "integer", "string"),
        hint: naming("In cents."),
        errors: [
          {
            pointer: "/variables/total",
            code: "invalid_type",
            message: naming("integer", "string"),
            hint: "In cents.",
          },
          {
            pointer: "/variables/email",
            code: "invalid_format",
            message: naming("email"),
            hint: naming("ada@example.com"),
          },
          {
            pointer: "/variables/paid",
            code: "unknown_field",
            message: expect.any(String),
            hint: naming("total, email"),
          },
        ],
      },
    });
  });

  test("is asked for what it gives itself: the definition's own variables stand in for nothing", () => {
    const own = { ...order, variables: { total: 7 } };
    expect(step(machineProgram(machine(own)), null, { ...ask.start({}), now: T0, room: 0 })).toMatchObject({
      refusal: { code: "variables_invalid", errors: [{ pointer: "/variables/total", code: "required" }] },
    });
  });

  test("gets no defaults from what is declared", () => {
    const own = { ...order, input: { properties: { total: { type: "integer", default: 7 } } } } satisfies Part;
    expect(drive(own).start({}).state.variables).toEqual({ paid: 0 });
  });

  test("that comes again is answered as it was the first time", () => {
    const t = drive(order).start({ total: 5 });
    expect(t.take(ask.start({ total: 5 })).repeated).toBe(true);
  });

  test("that costs more than a step may is refused as that", () => {
    const costly = { input: { properties: { s: { pattern: "^(.*a){150}!$" } } }, states: { a: {} } } satisfies Part;
    const program = machineProgram(machine(costly));
    const variables = { s: "a".repeat(60_000) };
    expect(step(program, null, { ...ask.start(variables), now: T0, room: 0 })).toMatchObject({
      refusal: { code: "rule_too_costly", message: naming("sample@1", "STEP_WORK_MAX") },
    });
  });
});

describe("an event", () => {
  const t = (part: Parameters<typeof drive>[0] = order) => drive(part).start({ total: 5 });

  test("with the payload that is declared is taken", () => {
    expect(t().event("pay", { amount: 5 }).state.variables["paid"]).toBe(5);
  });

  test.each<[string, Json, string, string]>([
    ["another type", { amount: "5" }, "/payload/amount", "invalid_type"],
    ["less than there may be", { amount: -1 }, "/payload/amount", "too_small"],
    ["nothing", null, "/payload", "invalid_type"],
    ["another name", { amonut: 5 }, "/payload/amount", "required"],
  ])("with %s is refused, and nothing has changed", (_what, payload, pointer, code) => {
    const at = t();
    const before = at.state;
    expect(at.refused(ask.event("pay", payload))).toMatchObject({
      code: "payload_invalid",
      errors: [{ pointer, code }],
    });
    expect(at.state).toBe(before);
  });

  test("whose type declares nothing brings what it likes", () => {
    expect(t().event("other", [1, "x"]).at).toBe("open");
    expect(t().event("next", 7).at).toBe("due");
  });

  test("a type named like an inherited property has no schema", () => {
    expect(t().event("toString", 1).at).toBe("open");
  });

  test("that comes early is asked when it comes, and not kept where it does not fit", () => {
    const at = t(narrow);
    expect(at.refused(ask.event("later", {}))).toMatchObject({ code: "payload_invalid" });
    expect(at.state.buffer).toEqual([]);
    expect(at.event("later", { amount: 1 }).state.buffer).toHaveLength(1);
    expect(at.event("next").status).toBe("completed");
  });

  test("is asked while it is paused, too", () => {
    const at = t().take(ask.pause());
    expect(at.refused(ask.event("pay", {}))).toMatchObject({ code: "payload_invalid" });
    expect(at.event("pay", { amount: 1 }).state.buffer).toHaveLength(1);
  });

  test("an unknown or late event is refused as such before its payload is checked", () => {
    const at = t(narrow).event("next");
    expect(at.refused(ask.event("unheard", {}))).toMatchObject({ code: expect.stringMatching(/^event_/) });
  });

  test("of a runner's own is not asked: what runs say happened", () => {
    const at = drive({
      events: { webhook_called: { required: ["never"] } },
      states: { a: { entry: ["call"], on: { webhook_called: "b" } }, b: { type: "final" } },
      actions: [action("call")],
    }).start();
    at.ok("call", { events: [{ type: "webhook_called", payload: {} }] });
    expect(at.status).toBe("completed");
  });
});
