// Tests of provider extracts (published/*.json): an extract must not accept what its source refuses. The sources' facts
// are recorded beside them (published/*.source.txt, by scripts/published.ts); exceptions have a reason here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { factsAsText, factsFromText, factsOf, type Described } from "#test/support/published-facts.ts";
import { weaknesses } from "#test/support/published-weaker.ts";

const folder = join(import.meta.dirname, "published");
const extracts = readdirSync(folder).filter((name) => name.endsWith(".json"));

/** Accepted weaknesses: extract → weakness → reason. */
const reasons: { readonly [extract: string]: { readonly [weakness: string]: string } } = {
  "slack-chat-post-message": {
    "blocks: type":
      "the source describes the form, where they are JSON in a field; in a JSON body they are what they are",
    "client_msg_id: unknown":
      "what Slack's own clients send so that a message is posted once; left alone where it is not known",
  },
};

const read = (name: string) => readFileSync(join(folder, name), "utf8");
const extractOf = (name: string) => factsOf(JSON.parse(read(`${name}.json`)) as Described); // the project's own file

function sourceOf(name: string) {
  const [head = "", facts = ""] = read(`${name}.source.txt`).split("\n\n");
  return { head, facts: factsFromText(facts), text: facts };
}

describe.each(extracts.map((name) => name.replace(/\.json$/, "")))("%s", (name) => {
  it("names the exact source", () => {
    const lines = sourceOf(name).head.split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^repository: https:\/\/github\.com\/[\w-]+\/[\w-]+$/),
      expect.stringMatching(/^commit: [0-9a-f]{40}$/),
      expect.stringMatching(/^path: \S+/),
      expect.stringMatching(/^sha256: [0-9a-f]{64}$/),
      expect.stringMatching(/^operation: POST \/\S+$/),
    ]);
  });

  it("is not weaker than its source, except for listed reasons", () => {
    const found = weaknesses(extractOf(name), sourceOf(name).facts);
    expect(found).toEqual(Object.keys(reasons[name] ?? {}));
  });
});

const source = factsFromText(
  [
    "(body): object; required; closed",
    "to: array; required; maxItems 2",
    "to[]: object; closed",
    'to[].email: string; required; format "email"',
    'kind: string; enum ["a","b"]',
    "more: object; closed",
    "more.n: number",
    "any: object",
  ].join("\n"),
);
const email = { type: "string", format: "email" };
const mailbox = { type: "object", additionalProperties: false, required: ["email"], properties: { email } };
const to = { type: "array", maxItems: 2, items: mailbox };

it.each<[string, Described, readonly string[]]>([
  ["all that is asked", {}, []],
  ["less than is there", { properties: { to: { ...to, maxItems: 1 } } }, []],
  ["a field that is not there", { properties: { to, cc: to } }, ["cc: unknown"]],
  ["another type", { properties: { to, more: { type: "string" } } }, ["more: type", "more: open"]],
  ["an object nobody looks into", { properties: { to, more: { type: "object" } } }, ["more: open"]],
  ["a list nobody looks into", { properties: { to: { type: "array", maxItems: 2 } } }, ["to: open"]],
  ["an object that is open", { additionalProperties: true }, ["(body): open"]],
  ["a limit left out", { properties: { to: { ...to, maxItems: 3 } } }, ["to: maxItems"]],
  [
    "a format left out",
    { properties: { to: { ...to, items: { ...mailbox, properties: { email: { type: "string" } } } } } },
    ["to[].email: format"],
  ],
  ["one more value", { properties: { to, kind: { type: "string", enum: ["a", "c"] } } }, ["kind: enum"]],
  ["no required field", { required: [] }, ["to: required"]],
  [
    "none deep inside",
    { properties: { to: { ...to, items: { ...mailbox, required: [] } } } },
    ["to[].email: required"],
  ],
  [
    "what it likes where the source is open",
    { properties: { to, any: { type: "object", properties: { a: email } } } },
    [],
  ],
])("detects an extract that has %s", (_, over, found) => {
  const extract = { type: "object", additionalProperties: false, required: ["to"], properties: { to }, ...over };
  expect(weaknesses(factsOf(extract), source)).toEqual(found);
});

it("reads a recorded source as it was written", () => {
  const { text, facts } = sourceOf("sendgrid-mail-send");
  expect(factsAsText(facts)).toBe(text);
});
