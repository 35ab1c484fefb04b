// The subject of a journey is verified with the definition.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { JsonObject } from "#schema/json.ts";
import { journeyDefinition } from "#schema/definition/journey.ts";

const base = {
  kind: "journey",
  name: "sample",
  initial: "mail",
  nodes: { mail: { type: "webhook", config: { url: "https://example.com" }, cap: "gentle" } },
};
const about = { subject: { var: "execution.variables.coupleId" } };
const gentle = { max: 3, per: "P7D" };
const found = (more: JsonObject) =>
  verify(journeyDefinition.parse({ ...base, ...more })).map(({ pointer, code }) => [pointer, code]);

test("a journey with a subject, re-entry and caps is sound", () => {
  expect(found({ ...about, reentry: "once", caps: { gentle } })).toEqual([]);
});

test.each<[string, JsonObject, string, string]>([
  [
    "re-entry needs a subject",
    { reentry: "once", nodes: { mail: { ...base.nodes.mail, cap: undefined } } as never },
    "/reentry",
    "subject_missing",
  ],
  ["caps need a subject", { caps: { gentle } }, "/caps/gentle", "subject_missing"],
  ["a subject's rule is a rule", { subject: { vra: "x" }, caps: { gentle } }, "/subject", "rule_operator_unknown"],
  [
    "a cap's zone is a zone or a rule",
    { ...about, caps: { gentle: { max: 1, calendar: "day", timezone: { vra: "x" } } } },
    "/caps/gentle/timezone",
    "rule_operator_unknown",
  ],
  ["a node's cap is one of the journey's", { ...about, caps: { gentel: gentle } }, "/nodes/mail/cap", "unknown_cap"],
])("%s", (_name, more, pointer, code) => {
  expect(found(more)).toContainEqual([pointer, code]);
});

test.each<[string, JsonObject]>([
  ["neither a window nor a day", { max: 3 }],
  ["both", { max: 3, per: "P7D", calendar: "day" }],
  ["a window of months", { max: 3, per: "P1M" }],
  ["a window of years", { max: 3, per: "P400D" }],
  ["a window of no length", { max: 3, per: "PT0S" }],
  ["a zone for a window that moves", { max: 3, per: "P7D", timezone: "Europe/Zurich" }],
  ["a zone that is none", { max: 3, calendar: "day", timezone: "Europe/Zuerich" }],
  ["nothing at all", { max: 0, per: "P7D" }],
])("a cap is refused: %s", (_name, cap) => {
  expect(journeyDefinition.safeParse({ ...base, ...about, caps: { gentle: cap } }).success).toBe(false);
});
