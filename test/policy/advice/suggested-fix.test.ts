// Tests the suggested fixes: by code, otherwise by error type, otherwise the default.
import { describe, expect, it } from "vitest";
import { fixesByCode, fixFor } from "#policy/advice/suggested-fix.ts";
import { fixesByType, fixOfUnknownType } from "#policy/advice/fix/by-type.ts";
import { naming } from "#test/support/matchers/naming.ts";

const failed = (errorType: string | null, code: string | null, reason: string | null = null) =>
  fixFor({ errorType, code, reason });

describe("a suggested fix", () => {
  it("is chosen by code, then by error type, then the default", () => {
    expect(failed("rate_limit", "daily_quota_exceeded")).toBe(fixesByCode["daily_quota_exceeded"]);
    expect(failed("rate_limit", "http_429")).toBe(fixesByType["rate_limit"]);
    expect(failed("timeout", null)).toBe(fixesByType["timeout"]);
    expect(failed("made_up_since", "made_up_too")).toBe(fixOfUnknownType);
    expect(failed(null, null)).toBe(fixOfUnknownType);
  });

  it("is not looked up among properties inherited from Object", () => {
    expect(failed("constructor", "toString")).toBe(fixOfUnknownType);
  });

  it("mentions the time budget if it ended the attempts", () => {
    const { suggestedFix, ...facts } = failed("timeout", null, "time_budget_spent");
    expect(suggestedFix).toEqual(naming("totalTimeMs"));
    expect(suggestedFix.endsWith(` ${fixesByType["timeout"]?.suggestedFix}`)).toBe(true);
    expect(facts).toEqual({ recoverable: true, manualReviewRequired: false });
  });

  it.each([
    ["a retry may succeed", "handset_unreachable", true, false],
    ["an operator must change something first", "invalid_number", true, true],
    ["an operator must check, and a retry does not help", "nonce_lost", false, true],
    ["nothing is left to do", "subscription_gone", false, false],
  ])("exists for %s", (_what, code, recoverable, manualReviewRequired) => {
    expect(failed(null, code)).toMatchObject({ recoverable, manualReviewRequired });
  });

  it.each(Object.entries({ ...fixesByCode, ...fixesByType }))("for %s is one short text", (_code, { suggestedFix }) => {
    expect(suggestedFix).toMatch(/^[A-Z].*[.]$/);
    expect(suggestedFix.length).toBeLessThanOrEqual(200);
  });
});
