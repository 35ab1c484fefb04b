import { describe, expect, test } from "vitest";
import { chooseToken, tokenToStore, setbackOf, type HeldToken, type Setback } from "#policy/gates/token.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

const T = 1_000_000;
const hour = 3_600_000;
const held: HeldToken = {
  key: "k",
  serial: 3,
  token: "sealed",
  refresh: "sealed refresh",
  obtainedAt: T,
  expiresAt: T + hour,
  isReplacement: false,
};
const ask = { key: "k", refused: null };
const passing: ActionError = { type: "service_unavailable", message: "down", retryable: true };
const lasting: ActionError = { type: "authentication_failed", message: "no", retryable: false };
const setback = (error: ActionError): Setback => ({ key: "k", asOf: 0, error, until: T + 2_000 });

describe("chooseToken", () => {
  test.each<[string, HeldToken | null, { key?: string; refused?: number; asOf?: number }, number, string]>([
    ["no token is stored", null, {}, T, "renew"],
    ["the token is new", held, {}, T, "use"],
    ["the token was issued for another authentication", held, { key: "other" }, T, "renew"],
    ["the token is valid for more than a minute", held, {}, T + hour - 60_001, "use"],
    ["the token is in its last minute", held, {}, T + hour - 60_000, "renew"],
    ["a short-lived token is in its last tenth", { ...held, expiresAt: T + 10_000 }, {}, T + 9_000, "renew"],
    ["a short-lived token is before its last tenth", { ...held, expiresAt: T + 10_000 }, {}, T + 8_999, "use"],
    ["the token was refused", held, { refused: 3 }, T, "renew"],
    ["an older token was refused, and this one is newer", held, { refused: 2 }, T, "use"],
    ["a replacement was refused immediately", { ...held, isReplacement: true }, { refused: 3 }, T + 59_999, "fail"],
    ["a replacement was refused after a while", { ...held, isReplacement: true }, { refused: 3 }, T + 60_000, "renew"],
    ["a secret was set after the token was issued", { ...held, asOf: T }, { asOf: T + 1 }, T + 2, "renew"],
    ["the token was issued with the newest secrets", { ...held, asOf: T }, { asOf: T }, T + 2, "use"],
    [
      "the token was issued with newer secrets than the client has",
      { ...held, asOf: T },
      { asOf: T - 1 },
      T + 2,
      "use",
    ],
    ["the age of the token's secrets is unknown", held, { asOf: T }, T + 2, "renew"],
  ])("%s", (_what, token, { key = "k", refused = null, ...more }, now, kind) => {
    expect(chooseToken(token, null, { key, refused, ...more }, now).kind).toBe(kind);
  });

  test.each<[string, HeldToken, { key: string; chain?: string }, string | null]>([
    ["is used with another scope", { ...held, chain: "c" }, { key: "new", chain: "c" }, "sealed refresh"],
    ["is not used with another initial refresh token", { ...held, chain: "c" }, { key: "k", chain: "d" }, null],
    ["stored by older code is used if nothing has changed", held, { key: "k", chain: "c" }, "sealed refresh"],
    ["stored by older code is not used after a change", held, { key: "new", chain: "c" }, null],
  ])("a chain of refresh tokens %s", (_what, token, asked, refresh) => {
    expect(chooseToken(token, null, { ...asked, refused: null, asOf: T }, T)).toMatchObject({ kind: "renew", refresh });
  });

  test("a renewal uses the stored refresh token, unless it belongs to another account", () => {
    expect(chooseToken(held, null, { key: "k", refused: 3 }, T)).toEqual({
      kind: "renew",
      refresh: "sealed refresh",
      isReplacement: true,
    });
    expect(chooseToken(held, null, { key: "new", refused: 3 }, T)).toEqual({
      kind: "renew",
      refresh: null,
      isReplacement: false,
    });
  });
});

describe("after a failure", () => {
  test("no request is sent before the retry time, and the error says whether it is retryable", () => {
    expect(chooseToken(null, setback(passing), ask, T)).toEqual({ kind: "fail", error: passing, retryAfterMs: 2_000 });
    expect(chooseToken(null, setback(lasting), ask, T)).toEqual({ kind: "fail", error: lasting, retryAfterMs: 0 });
    expect(chooseToken(null, setback(passing), ask, T + 2_000).kind).toBe("renew");
    expect(chooseToken(null, setback(passing), { ...ask, key: "other" }, T).kind).toBe("renew");
    expect(chooseToken(null, setback(lasting), { ...ask, asOf: 1 }, T).kind).toBe("renew");
  });

  test("a token that is still valid is used", () => {
    expect(chooseToken(held, setback(passing), { key: "k", refused: null }, T).kind).toBe("use");
  });

  test.each([
    [undefined, 2_000],
    [10_000, 10_000],
    [900_000, 60_000],
  ])("an endpoint that requests %s ms is called again after %s", (retryAfterMs, waitMs) => {
    const failed = { ok: false, error: passing, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } as const;
    expect(setbackOf(ask, failed, T)).toEqual({ key: "k", asOf: 0, error: passing, until: T + waitMs });
  });
});

describe("a new token", () => {
  const renewed = { ok: true, token: "sealed 2", refresh: null, expiresAt: T + hour } as const;
  const choice = { kind: "renew", refresh: "sealed refresh", isReplacement: true } as const;

  test("increments the serial, and keeps the refresh token if no new one was issued", () => {
    expect(tokenToStore(held, ask, choice, renewed, T + 5)).toEqual({
      key: "k",
      serial: 4,
      token: "sealed 2",
      refresh: "sealed refresh",
      obtainedAt: T + 5,
      expiresAt: T + hour,
      isReplacement: true,
      asOf: 0,
    });
    expect(tokenToStore(null, ask, choice, { ...renewed, refresh: "rotated" }, T)).toMatchObject({
      serial: 1,
      refresh: "rotated",
    });
  });

  test("stores the age of the secrets that the Worker found, or that the request named", () => {
    const asked = { ...ask, asOf: 5, chain: "c" };
    expect(tokenToStore(null, asked, choice, renewed, T)).toMatchObject({ asOf: 5, chain: "c" });
    expect(tokenToStore(null, asked, choice, { ...renewed, asOf: 7 }, T)).toMatchObject({ asOf: 7 });
  });

  test("of older secrets does not replace one of newer secrets", () => {
    const newer = { ...held, asOf: 7 };
    expect(tokenToStore(newer, { ...ask, asOf: 5 }, choice, renewed, T)).toBe(newer);
  });
});
