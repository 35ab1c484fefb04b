// Token answers as providers write them, and as some do not: what is granted, and what is none.
import { expect, it } from "vitest";
import { tokenAnswerOf, tokenRefusalOf } from "#schema/provider/oauth.ts";
import { tokenMissing, tokenRefused } from "#schema/provider/token-failure.ts";
import type { Json } from "#schema/json.ts";
import { TOKEN_CHARS_MAX } from "#schema/limits/outgoing/tokens.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const DAY = 24 * 60 * 60_000;

it.each<[Json, number | null]>([
  [3_600, 3_600_000],
  ["3600", 3_600_000],
  [0.01, 10],
  [0, null],
  [-1, null],
  ["soon", null],
  ["", null],
  [null, null],
  [{}, null],
  [1e300, 30 * DAY],
  ["Infinity", 30 * DAY],
])("a token that expires in %j lives %j ms; null is that nothing sensible was said", (expiresIn, expiresInMs) => {
  const answer = tokenAnswerOf({ access_token: "t", refresh_token: "r", expires_in: expiresIn });
  expect(answer).toEqual({ kind: "granted", grant: { accessToken: "t", refreshToken: "r", expiresInMs } });
});

it("a grant may leave out everything but the token", () => {
  const grant = { accessToken: "t", refreshToken: null, expiresInMs: null };
  expect(tokenAnswerOf({ access_token: "t" })).toEqual({ kind: "granted", grant });
  expect(tokenAnswerOf({ access_token: "t", refresh_token: "" })).toEqual({ kind: "granted", grant });
});

it("a token that no header could carry is none, and a refresh token as long is not kept", () => {
  const longest = "t".repeat(TOKEN_CHARS_MAX);
  expect(tokenAnswerOf({ access_token: longest }).kind).toBe("granted");
  expect(tokenAnswerOf({ access_token: `${longest}t` }).kind).toBe("missing");
  const answer = tokenAnswerOf({ access_token: "t", refresh_token: `${longest}t` });
  expect(answer).toMatchObject({ grant: { refreshToken: null } });
});

it.each([
  ["Bearer", "granted"],
  ["bearer", "granted"],
  ["bot", "granted"],
  ["", "granted"],
  ["DPoP", "unusable"],
  ["mac", "unusable"],
  ["N_A", "unusable"],
])("a token of the type %j is %s", (type, kind) => {
  expect(tokenAnswerOf({ access_token: "t", token_type: type }).kind).toBe(kind);
});

it.each<[Json, string]>([
  [null, "unreadable"],
  ["<html>", "unreadable"],
  [["t"], "unreadable"],
  [{}, "missing"],
  [{ access_token: "" }, "missing"],
  [{ access_token: 7 }, "missing"],
  [{ access_token: "two\r\nlines" }, "missing"],
  [{ error: "invalid_grant" }, "refused"],
  [{ ok: false, error: "invalid_refresh_token" }, "refused"],
])("%j with a status of success is %s", (answer, kind) => expect(tokenAnswerOf(answer).kind).toBe(kind));

it.each<[Json, string | null, string]>([
  [{ error: "invalid_grant", error_description: "expired" }, "invalid_grant", "invalid_grant: expired"],
  [{ error: "invalid_client" }, "invalid_client", "invalid_client"],
  [{ error_description: "expired" }, null, "expired"],
  [{ error: { code: 7 } }, null, ""],
  ["no", null, ""],
])("%j is refused with the code %j, and says %j", (answer, code, said) => {
  expect(tokenRefusalOf(answer)).toEqual({ code, said });
});

it.each<[Json, string, boolean, string]>([
  ["<html>", "service_unavailable", true, "token_answer_unreadable"],
  [{}, "authentication_failed", false, "token_missing"],
  [{ error: "invalid_grant" }, "authentication_failed", false, "invalid_grant"],
  [{ error: "What?" }, "authentication_failed", false, "token_missing"],
  [{ access_token: "t", token_type: "mac" }, "authentication_failed", false, "token_type_unsupported"],
])("a 200 with %j means %s, again: %j, as %s", (data, type, retryable, code) => {
  const told = tokenAnswerOf(data);
  if (told.kind === "granted") throw new Error("it grants nothing");
  expect(tokenMissing("the token endpoint", told, []).error).toMatchObject({ type, retryable, code });
});

it("what it says of a secret is not repeated", () => {
  const error = { type: "malformed_request", message: "answered 400", retryable: false };
  const data = { error: "invalid_grant", error_description: "refresh-1 has expired" };
  const refused = tokenRefused("the token endpoint of crm", { status: 400, data, error }, ["refresh-1", ""]);
  expect(refused.error.message).toMatch(
    namingPattern("the token endpoint of crm", "invalid_grant", "[redacted] has expired"),
  );
});
