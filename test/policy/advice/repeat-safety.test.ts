// Whether a dead letter can be sent again blindly: a table of what its tries were and of what the provider promises.
import { describe, expect, it } from "vitest";
import { naming } from "#test/support/matchers/naming.ts";
import { repeatCases, safetyIn } from "./repeat-cases.ts";

describe("retrying a dead letter", () => {
  it.each(repeatCases)("%s", (...given) => {
    const [, , , , safe, named] = given;
    expect(safetyIn(given)).toEqual({ safe, why: naming(...named) });
  });
});
