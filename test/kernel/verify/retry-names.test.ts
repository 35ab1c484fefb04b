import { expect, test } from "vitest";
import { errorNameFinding, retryNameFindings } from "#kernel/verify/retry-names.ts";
import { verify } from "#test/kernel/verify/at-once.ts";
import { definition } from "#schema/definition/definition.ts";
import { naming } from "#test/support/matchers/naming.ts";

test.each([
  "rate_limit",
  "temporary_failure",
  "gas_price_too_low",
  "deadline",
  "http_409",
  "http_4xx",
  "http_5xx",
  "twilio_21610",
  "slack_is_archived",
  "docusign_envelope_has_no_documents",
])("%s is the name of an error", (name) => {
  expect(errorNameFinding(name, "/error")).toBeNull();
});

test.each([
  ["rate_limits", "rate_limit"],
  ["temporary_failures", "temporary_failure"],
  ["http_999", "http_409"],
  ["http_0xx", "http_5xx"],
  ["HTTP_409", "http_409"],
  ["card_declined", "timeout, rate_limit"],
  ["constructor", "timeout, rate_limit"],
])("%s is none, and the hint helps", (name, hint) => {
  const found = errorNameFinding(name, "/error");
  expect(found).toMatchObject({ pointer: "/error", code: "unknown_error_name" });
  expect(found?.hint).toEqual(naming(hint));
});

test("every list of a policy is checked, and a preset has none", () => {
  const policy = {
    retryableErrors: ["timeout", "a"],
    nonRetryableErrors: ["b"],
    rules: [{ errors: ["timeout"] }, { errors: ["rate_limit", "c"] }],
  };
  expect(retryNameFindings(policy, "/here").map(({ pointer }) => pointer)).toEqual([
    "/here/retryableErrors/1",
    "/here/nonRetryableErrors/0",
    "/here/rules/1/errors/1",
  ]);
  expect([retryNameFindings("email", "/here"), retryNameFindings({}, "/here")]).toEqual([[], []]);
});

test("a new definition is refused; one that is stored still has the form of a definition", () => {
  const stored = {
    kind: "machine",
    name: "mail",
    initial: "a",
    states: { a: { type: "final" } },
    actions: [
      {
        actionId: "x",
        type: "email",
        triggerState: "a",
        config: {},
        retryPolicy: { retryableErrors: ["card_declined"] },
      },
    ],
  };
  const parsed = definition.parse(stored);
  expect(verify(parsed).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/actions/0/retryPolicy/retryableErrors/0 unknown_error_name",
  ]);
});
