import { expect, test } from "vitest";
import { unsubscribeFindings } from "#policy/suppressions/unsubscribe-findings.ts";
import type { JsonObject } from "#schema/json.ts";

const complete = { hasPublicUrl: true, hasSigningKey: true };
const link = "{{ unsubscribe_url }}";
const found = (type: string, config: JsonObject, settings = complete) =>
  unsubscribeFindings(type, config, settings).map(({ code, pointer }) => `${code} ${pointer}`);

test.each<[string, string, JsonObject, readonly string[]]>([
  ["a config without the link", "email", { to: ["a@x.example", "b@x.example"], text: "Hi", sendAt: null }, []],
  [
    "the link in all possible fields",
    "email",
    { to: "a@x.example", html: link, text: `a ${link}`, variables: { url: [link] } },
    [],
  ],
  [
    "one recipient in a list, and empty copies",
    "email",
    { recipient: ["a@x.example"], cc: [], bcc: null, text: link },
    [],
  ],
  [
    "recipients that templates determine",
    "email",
    { to: "{{ a }}", cc: "{{ b }}", bcc: "{% if c %}c{% endif %}", text: link },
    [],
  ],
  [
    "several recipients",
    "email",
    { to: ["a@x.example", "b@x.example"], text: link },
    ["unsubscribe_needs_one_recipient /to"],
  ],
  [
    "several recipients by the other name",
    "email",
    { recipient: ["a", "b"], text: link },
    ["unsubscribe_needs_one_recipient /recipient"],
  ],
  [
    "copies",
    "email",
    { to: "a@x.example", cc: "b@x.example", bcc: [{ email: "c@x.example" }], text: link },
    ["unsubscribe_needs_one_recipient /cc", "unsubscribe_needs_one_recipient /bcc"],
  ],
  [
    "a filter",
    "email",
    { to: "a@x.example", text: "{{ unsubscribe_url | upcase }}" },
    ["unsubscribe_url_misused /text"],
  ],
  ["another field", "email", { to: "a@x.example", subject: link, text: "x" }, ["unsubscribe_url_misplaced /subject"]],
  ["a text message", "sms", { to: "+14155550123", message: link }, ["unsubscribe_url_misplaced /message"]],
  [
    "another type",
    "webhook",
    { url: "https://x.example/", payload: { a: [link] } },
    ["unsubscribe_url_misplaced /payload/a/0"],
  ],
])("%s", (_name, type, config, expected) => {
  expect(found(type, config)).toEqual(expected);
});

test.each([
  { hasPublicUrl: false, hasSigningKey: true },
  { hasPublicUrl: true, hasSigningKey: false },
])("an installation that cannot make links: %o", (settings) => {
  const config = { to: "a@x.example", html: "x", text: link };
  expect(found("email", config, settings)).toEqual(["unsubscribe_url_unavailable /text"]);
});
