// Recipients of messages, by which lists find runs.
import { expect, test } from "vitest";
import { messageRecipients, recipientOf } from "#policy/suppressions/message-recipients.ts";
import type { JsonObject } from "#schema/json.ts";
import { RECIPIENTS_LISTED_MAX } from "#schema/limits/outgoing/suppression-sizes.ts";

const many = Array.from({ length: RECIPIENTS_LISTED_MAX + 1 }, (_, n) => `p${n}@example.com`);

test.each<[string, JsonObject | null, readonly string[]]>([
  ["email", { to: "Ada <Ada@Example.com>" }, ["ada@example.com"]],
  ["email", { recipient: { email: "ada@example.com", name: "Ada" } }, ["ada@example.com"]],
  [
    "email",
    { to: ["a@example.com", { email: "b@example.com" }], cc: "a@example.com" },
    ["a@example.com", "b@example.com"],
  ],
  ["email", { to: [{ name: "Ada" }, 7, null, "nobody"] }, []],
  ["email", { to: many }, many.slice(0, RECIPIENTS_LISTED_MAX)],
  ["email", null, []],
  ["sms", { to: "+49 151 23456789" }, ["+4915123456789"]],
  ["sms", { phoneNumber: "004915123456789" }, ["+4915123456789"]],
  ["push", { token: "t" }, []],
  ["webhook", { to: "ada@example.com" }, []],
  ["toString", { to: "ada@example.com" }, []],
])("%s %j goes to %j", (type, config, expected) => {
  expect(messageRecipients(type, config)).toEqual(expected);
});

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["+49 151 23456789", "+4915123456789"],
  ["ada", null],
])("the recipient %s is searched as %s", (text, expected) => {
  expect(recipientOf(text)).toBe(expected);
});
