// Tests of suggested fixes: every failure code has a fix, and every error type has one for unknown codes. The codes are
// read from the sources, so that new ones are found automatically.
import { describe, expect, it } from "vitest";
import { fixesByCode, fixFor } from "#policy/advice/suggested-fix.ts";
import { fixesByType } from "#policy/advice/fix/by-type.ts";
import { meaningOfText } from "#runners/database/errors.ts";
import { slackMeaning } from "#runners/slack/errors.ts";
import { smsMeaning } from "#runners/sms/twilio-errors.ts";
import { errorTypes } from "#schema/engine/outcome.ts";
import { codes, ofServices, types as typesOfRunners } from "./failure-codes.ts";

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

  it("lead to their entries for providers' codes", () => {
    const leads = (said: string | undefined, code: string) => {
      const fix = fixFor({ errorType: null, code: said ?? null, reason: null });
      expect(fix.suggestedFix).not.toBe("");
      expect(fix).toBe(fixesByCode[code]);
    };
    leads(smsMeaning(21211).code, "invalid_number");
    leads(smsMeaning(21610).code, "recipient_unsubscribed");
    leads(smsMeaning(30003).code, "handset_unreachable");
    leads(slackMeaning("channel_not_found").code, "slack_channel_not_found");
    leads(slackMeaning("invalid_auth").code, "slack_invalid_auth");
    leads(meaningOfText("UNIQUE constraint failed: a.b")?.code, "constraint");
  });
});

describe("types of errors", () => {
  const types = [...errorTypes, ...typesOfRunners];

  it.each([...new Set(types)])("%s has a fix", (type) => {
    expect(Object.hasOwn(fixesByType, type)).toBe(true);
  });

  it("lead to a fix for Twilio's, Slack's and DocuSign's codes that no table has", () => {
    for (const code of ["twilio_99999", "slack_some_new_word", "docusign_new", "http_418"]) {
      expect(fixFor({ errorType: "rate_limit", code, reason: null })).toBe(fixesByType["rate_limit"]);
    }
  });
});
