// Every code that a runner or the engine gives a failure leads to a suggested fix of its own, and every type of error to
// one for codes that nobody knew. The codes are read out of the sources, so that a new one is found by being there.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixesByCode, fixFor } from "#policy/advice/suggested-fix.ts";
import { fixesByType } from "#policy/advice/fix/by-type.ts";
import { meaningOfWords } from "#runners/database/errors.ts";
import { slackMeaning } from "#runners/slack/errors.ts";
import { smsMeaning } from "#runners/sms/twilio-errors.ts";
import { errorTypes } from "#schema/engine/outcome.ts";

const root = join(import.meta.dirname, "../..");
const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("rehearsal/"))
    .map((file) => ({ file: basename(file), text: readFileSync(join(root, folder, file), "utf8") }));
const runners = sourcesIn("src/runners");

const found = (texts: readonly { readonly text: string }[], ...patterns: readonly RegExp[]): string[] => [
  ...new Set(
    texts.flatMap(({ text }) => patterns.flatMap((each) => [...text.matchAll(each)].map((hit) => hit[1] ?? ""))),
  ),
];

/** A table's row: type, whether it is retried, code. */
const ROW = /"[a-z_]+",\s*(?:true|false),\s*"([a-z_]+)"/g;
const codes = found(
  runners,
  ROW,
  /\b(?:identity|permission|wrong|busy)\("([a-z_]+)"\)/g,
  /\bcode: "([a-z]+(?:_[a-z]+)*)"/g,
  /(?:configurationFailure|new Wrong|refuse)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
).filter((code) => code !== "custom"); // zod's own

const ofServices = found(
  sourcesIn("src/services").filter(({ file }) =>
    /^(?:open-|connection-(?!noun)|create-task|find-connection)/.test(file),
  ),
  /\b(?:failure|invalid|wrong)\((?:[^()]|\([^()]*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
  /\bcode: "([a-z]+_[a-z_]+)"/g,
).filter((code) => !["not_found", "already_exists", "invalid_configuration"].includes(code)); // the API's own

describe("the codes of failures", () => {
  it("are found in the sources", () => {
    expect(codes.length).toBeGreaterThan(90);
    expect(codes).toEqual(
      expect.arrayContaining(["invalid_number", "handset_unreachable", "nonce_lost", "sql_invalid"]),
    );
    expect(ofServices).toEqual(expect.arrayContaining(["secret_missing", "token_lost", "template_unknown"]));
  });

  it.each([...codes, ...ofServices])("%s has an entry", (code) => {
    expect(Object.hasOwn(fixesByCode, code)).toBe(true);
  });

  it("lead to their entries from what providers say", () => {
    const fix = (code: string | undefined) =>
      fixFor({ errorType: null, code: code ?? null, reason: null }).suggestedFix;
    expect(fix(smsMeaning(21211).code)).toMatch(/right one in config/);
    expect(fix(smsMeaning(21610).code)).toMatch(/STOP/);
    expect(fix(smsMeaning(30003).code)).toMatch(/switched off/);
    expect(fix(slackMeaning("channel_not_found").code)).toMatch(/channel's id/);
    expect(fix(slackMeaning("invalid_auth").code)).toMatch(/token/);
    expect(fix(meaningOfWords("UNIQUE constraint failed: a.b")?.code)).toMatch(/row stands in the way/);
  });
});

describe("types of errors", () => {
  const types = [...errorTypes, ...found(runners, /"([a-z_]+)",\s*(?:true|false),\s*"[a-z_]+"/g)];

  it.each([...new Set(types)])("%s has a fix", (type) => {
    expect(Object.hasOwn(fixesByType, type)).toBe(true);
  });

  it("hold for Twilio's, Slack's and DocuSign's codes that are in no table", () => {
    for (const code of ["twilio_99999", "slack_some_new_word", "docusign_new", "http_418"]) {
      expect(fixFor({ errorType: "rate_limit", code, reason: null })).toBe(fixesByType["rate_limit"]);
    }
  });
});
