// Tests whether a dead letter can be retried safely, by its attempts and the provider's idempotency support.
import { describe, expect, it } from "vitest";
import { naming } from "#test/support/matchers/naming.ts";
import { repeatCases, safetyIn } from "./repeat-cases.ts";

describe("retrying a dead letter", () => {
  it.each(repeatCases)("%s", (...given) => {
    const [, , , , safe, named] = given;
    expect(safetyIn(given)).toEqual({ safe, why: naming(...named) });
  });
});
