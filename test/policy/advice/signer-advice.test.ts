// Tests the advice about a signer's address, one row per problem.
import { expect, test } from "vitest";
import { naming } from "#test/support/matchers/naming.ts";
import { adviceIn, lateCase, signerCases } from "./signer-cases.ts";

test.each(signerCases)("%s", (...given) => {
  const [, , , advice] = given;
  expect(adviceIn(given)).toEqual(advice.map((named) => naming(...named)));
});

test("a transaction in flight for half an hour is reported as late, unless the node does not respond", () => {
  const [, , , advice] = lateCase;
  expect(adviceIn(lateCase)).toEqual(advice.map((named) => naming(...named)));
});
