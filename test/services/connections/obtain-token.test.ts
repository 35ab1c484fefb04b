// Answers of misbehaving token servers: each leads to one of a few results, and passing faults are retried.
import { expect, it } from "vitest";
import type { Json } from "#schema/json.ts";
import type { OutboundAnswer, OutboundCall } from "#schema/provider/outbound.ts";
import { obtainToken, type ObtainRequest, type ObtainDeps } from "#services/connections/renew-token.ts";
import { openToken } from "#services/connections/seal-token.ts";

const NOW = 1_000_000;
const HOUR = 3_600_000;
const about = { tenant: "ten_1", connection: "con_1" };
const request = {
  url: "https://id.example.com/token",
  form: { grant_type: "client_credentials" },
  secrets: ["s3cret"],
};
const rotating = { ...request, form: { grant_type: "refresh_token", refresh_token: "first" } };

function obtaining(...answers: readonly OutboundAnswer[]) {
  const calls: OutboundCall[] = [];
  const deps: ObtainDeps = {
    now: () => NOW,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    secretsKeys: `k1:${btoa("k".repeat(32))}`,
    callOut: async (call) => {
      calls.push(call);
      return answers[calls.length - 1] ?? refused(503, null);
    },
  };
  const obtain = (over: Partial<ObtainRequest> = {}) =>
    obtainToken(deps, { about, what: "the token endpoint", request, bounds: [], refresh: null, ...over });
  return { deps, calls, obtain };
}

const ok = (data: Json): OutboundAnswer => ({ ok: true, status: 200, data });
function refused(status: number | null, data: Json, type = "service_unavailable", retryable = true): OutboundAnswer {
  return { ok: false, status, data, error: { type, message: `answered ${status}`, retryable } };
}
const token = (more: object) => ok({ access_token: "t", token_type: "Bearer", ...more });

it.each<[string, OutboundAnswer, number]>([
  ["no expires_in", token({}), NOW + HOUR],
  ["expires_in 0", token({ expires_in: 0 }), NOW + HOUR],
  ["a negative expires_in", token({ expires_in: -5 }), NOW + HOUR],
  ["an expires_in of text", token({ expires_in: "120" }), NOW + 120_000],
  ["another type that is a bearer's", token({ token_type: "bot", expires_in: 60 }), NOW + 60_000],
])("a token with %s is valid until it expires", async (_what, answer, expiresAt) => {
  const { obtain, deps } = obtaining(answer);
  const renewed = await obtain();
  expect(renewed).toMatchObject({ ok: true, refresh: null, expiresAt });
  expect(renewed.ok && (await openToken(deps, about, renewed.token))).toBe("t");
});

it.each<[string, OutboundAnswer, string, boolean]>([
  ["a broken body", ok('{"access_token":"t'), "token_answer_unreadable", true],
  ["nothing", ok(null), "token_answer_unreadable", true],
  ["no token", ok({ ok: true }), "token_missing", false],
  ["a token that wants a proof", token({ token_type: "DPoP" }), "token_type_unsupported", false],
  ["a no", ok({ error: "invalid_grant" }), "invalid_grant", false],
  ["a bad moment", refused(500, "<html>"), "token_endpoint_unavailable", true],
  ["no answer in time", refused(null, null, "timeout"), "token_endpoint_unavailable", true],
])("an answer with %s contains no token", async (_what, answer, code, retryable) => {
  const { obtain, calls } = obtaining(answer, token({}));
  expect(await obtain()).toMatchObject({ ok: false, error: { code, retryable } });
  expect(await obtain()).toMatchObject({ ok: true });
  expect(calls).toHaveLength(2);
});

it("a rotated refresh token is stored with its origin, and dropped when the secret is replaced", async () => {
  const { obtain, calls } = obtaining(token({ refresh_token: "second" }), token({}), token({}));
  const first = await obtain({ request: rotating });
  const refresh = first.ok ? first.refresh : null;
  expect(await obtain({ request: rotating, refresh })).toMatchObject({ ok: true, refresh: null });
  await obtain({ request: { ...rotating, form: { ...rotating.form, refresh_token: "anew" } }, refresh });
  const sent = calls.map(({ body }) => new URLSearchParams(body ?? "").get("refresh_token"));
  expect(sent).toEqual(["first", "second", "anew"]);
});

it("an installation without encryption keys stores no token", async () => {
  const { deps } = obtaining();
  const bare = { ...deps, secretsKeys: null, callOut: async () => token({}) };
  const asked = { about, what: "the token endpoint", request, bounds: [], refresh: null };
  expect(await obtainToken(bare, asked)).toMatchObject({ ok: false, error: { code: "secrets_unreadable" } });
});
