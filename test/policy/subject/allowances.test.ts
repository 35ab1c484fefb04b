// Texts of allowances: equal limits have equal texts.
import { describe, expect, it } from "vitest";
import { allowancesOf } from "#policy/subject/allowances.ts";
import { definition } from "#schema/definition/definition.ts";

const journey = (caps: object, more: object = {}) =>
  definition.parse({
    kind: "journey",
    name: "season",
    subject: { var: "customer" },
    caps,
    initial: "pause",
    nodes: { pause: { type: "delay", for: "PT1H" } },
    ...more,
  });

describe("the allowance of a cap", () => {
  it.each([
    [{ max: 3, per: "P7D" }, "3 per 7 days"],
    [{ max: 3, per: "P1W", over: "skip" }, "3 per 7 days"],
    [{ max: 3, per: "PT168H" }, "3 per 7 days"],
    [{ max: 1, per: "P1D" }, "1 per day"],
    [{ max: 1, per: "PT90M" }, "1 per 90 minutes"],
    [{ max: 1, per: "PT1.5S" }, "1 per 1500 milliseconds"],
    [{ max: 2, calendar: "day" }, "2 per day in UTC"],
    [{ max: 2, calendar: "day", timezone: "Europe/Zurich" }, "2 per day in Europe/Zurich"],
    [{ max: 2, calendar: "day", timezone: { var: "customer" } }, "2 per day in a computed time zone"],
  ])("%j is %s", (cap, text) => expect(allowancesOf(journey({ gentle: cap }))).toEqual({ gentle: text }));

  it("uses the definition's time zone", () => {
    const parsed = journey({ daily: { max: 2, calendar: "day" } }, { timezone: "Europe/Zurich" });
    expect(allowancesOf(parsed)).toEqual({ daily: "2 per day in Europe/Zurich" });
  });

  it("exists for each kind of definition with caps", () => {
    const { caps: _caps, ...bare } = journey({}) as { caps?: object };
    expect(allowancesOf(definition.parse(bare))).toEqual({});
    const machine = { kind: "machine", name: "order", initial: "open", states: { open: { type: "final" } } };
    expect(allowancesOf(definition.parse(machine))).toEqual({});
    const caps = { gentle: { max: 3, per: "P7D", subject: "everyone" } };
    expect(allowancesOf(definition.parse({ ...machine, caps }))).toEqual({ gentle: "3 per 7 days" });
  });
});
