// What a person is told of an address: a row for each thing that may be the matter.
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
