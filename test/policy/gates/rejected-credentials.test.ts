import { describe, expect, test } from "vitest";
import {
  attentionOf,
  isRejected,
  holdAttempt,
  afterRefusal,
  type CredentialRejection,
} from "#policy/gates/rejected-credentials.ts";
import type { TokenRenewalAnswer, AccessTokenRequest } from "#schema/gate.ts";
import { notNaming } from "#test/support/matchers/naming.ts";

const T = 1_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ask: AccessTokenRequest = { key: "k", refused: null, asOf: 5 };
const no = (more: object = {}): Extract<TokenRenewalAnswer, { ok: false }> => ({
  ok: false,
  error: { type: "authentication_failed", code: "invalid_grant", message: "refused", retryable: false, ...more },
});

function begun(): CredentialRejection {
  const trouble = afterRefusal(null, ask, no(), T);
  if (trouble === null) throw new Error("it is trouble");
  return trouble;
}

describe("a rejection of credentials", () => {
  test.each([
    ["a refused account", {}, true],
    ["a temporary failure", { type: "service_unavailable", retryable: true }, false],
    ["a wrong address", { type: "invalid_configuration" }, false],
    ["a retryable authentication failure", { retryable: true }, false],
  ])("%s", (_what, more, isTrouble) => {
    expect(afterRefusal(null, ask, no(more), T) !== null).toBe(isTrouble);
  });

  test("is not recorded for a failure that may pass", () => {
    expect(afterRefusal(begun(), ask, no({ type: "timeout", retryable: true }), T + 1)).toEqual(begun());
  });

  test("contains its start, reason and code", () => {
    expect(attentionOf(begun())).toEqual({
      since: T,
      code: "invalid_grant",
      reason: "refused",
      nextStep: notNaming("retry"), // held runs continue without a retry
    });
    const { code: _code, ...error } = no().error;
    expect(attentionOf({ ...begun(), error })).toMatchObject({ code: "authentication_failed" });
    expect(attentionOf(null)).toBeNull();
  });
});

describe("while credentials are rejected", () => {
  test("the account is checked after a minute, then with doubled gaps up to half an hour", () => {
    let trouble: CredentialRejection | null = null;
    const gaps: number[] = [];
    for (let n = 0; n < 12; n++) {
      trouble = afterRefusal(trouble, ask, no(), T);
      gaps.push(((trouble?.lookAt ?? 0) - T) / MINUTE);
    }
    expect(gaps).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30]);
    expect(trouble).toMatchObject({ since: T, times: 12 });
  });

  test.each<[string, Partial<AccessTokenRequest>, number, boolean]>([
    ["the same account", {}, T + MINUTE - 1, true],
    ["the same account, with an older secret", { asOf: 4 }, T, true],
    ["the same account, by code that does not send the secrets' age", { asOf: 0 }, T, true],
    ["an account with a newer secret", { asOf: 6 }, T, false],
    ["an account with another way to authenticate", { key: "other" }, T, false],
    ["a client that requests a check", { check: true }, T, false],
    ["the attempt that checks the account", {}, T + MINUTE, false],
  ])("it blocks %s: %j at %d: %j", (_who, over, now, stands) => {
    expect(isRejected(begun(), { ...ask, ...over }, now)).toBe(stands);
    expect(isRejected(null, { ...ask, ...over }, now)).toBe(false);
  });

  test("without the secrets' age the account is identified by its key", () => {
    const bare = { key: "k", refused: null };
    expect(afterRefusal(null, bare, no(), T)).toMatchObject({ asOf: 0 });
    expect(isRejected(begun(), bare, T)).toBe(true);
  });

  test("the return times of held attempts are spread within a limit", () => {
    const untils: (number | undefined)[] = [];
    let trouble = begun();
    for (let n = 0; n < 3; n++) {
      const told = holdAttempt(trouble, T);
      trouble = told.trouble;
      untils.push(told.answer.heldUntil);
    }
    expect(untils).toEqual([T + MINUTE, T + MINUTE + 20, T + MINUTE + 40]);
    const crowd = holdAttempt({ ...trouble, waiting: 1_000_000 }, T);
    expect(crowd.answer.heldUntil).toBe(T + 11 * MINUTE);
  });

  test("after a week no attempt is held", () => {
    expect(holdAttempt(begun(), T + 7 * DAY - 1).answer.heldUntil).toBeDefined();
    expect(holdAttempt(begun(), T + 7 * DAY).answer).toEqual(no());
  });

  test("the refusal of another account starts a new record", () => {
    expect(afterRefusal(begun(), { ...ask, asOf: 6 }, no(), T + 9)).toMatchObject({ since: T + 9, times: 1, asOf: 6 });
    expect(afterRefusal(begun(), { ...ask, key: "other" }, no(), T + 9)).toMatchObject({ since: T + 9, times: 1 });
  });
});
