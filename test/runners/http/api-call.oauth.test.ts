// Tests of API calls with their own OAuth2 client: token requests, and the answers of the token endpoint.
import { expect, it } from "vitest";
import type { Json, JsonObject } from "#schema/json.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";

const url = "https://api.example.com/v1/records/7";
const call = (config: JsonObject, answer: Answer = () => jsonResponse({}), over: Surroundings = {}) =>
  performed("api_call", config, answer, over);

const tokenEndpoint = "https://id.example.com/token";
const oauth = (clientId: string) => ({
  type: "oauth2",
  tokenEndpoint,
  clientId,
  clientSecret: "client-secret-1",
  scope: "records",
});
/** An API with a token server. Tokens are numbered. */
function server(valid: (token: string) => boolean, expiresIn = 3600) {
  let issued = 0;
  const answer: Answer = ({ url, request }) => {
    if (url === tokenEndpoint)
      return jsonResponse({ access_token: `token-${++issued}`, token_type: "Bearer", expires_in: expiresIn });
    const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    return jsonResponse({ token }, { status: valid(token) ? 200 : 401 });
  };
  return { answer, issued: () => issued };
}

it("requests a token with the client's credentials, and caches it until it expires", async () => {
  const { answer, issued } = server(() => true, 100);
  const config = { url, authentication: oauth("keeps") };
  const { outcome, calls } = await call(config, answer);
  const form = Object.fromEntries(new URLSearchParams(await calls[0]?.request.text()));
  expect(form).toEqual({
    grant_type: "client_credentials",
    client_id: "keeps",
    client_secret: "client-secret-1",
    scope: "records",
  });
  expect(calls.map((each) => each.url)).toEqual([tokenEndpoint, url]);
  await call(config, answer);
  expect(issued()).toBe(1);
  await call(config, answer, { now: () => NOW + 45_000 });
  expect(issued()).toBe(2);
  expect(JSON.stringify(outcome)).not.toMatch(/token-1|client-secret-1/);
});

it.each<[JsonObject, string | null, JsonObject]>([
  [
    { clientAuth: "basic" },
    `Basic ${btoa("a%3Ab:client-secret-1")}`,
    { grant_type: "client_credentials", scope: "records" },
  ],
  [
    { grant: "refresh_token", refreshToken: "refresh-1", audience: "crm" },
    null,
    {
      grant_type: "refresh_token",
      refresh_token: "refresh-1",
      client_id: "a:b",
      client_secret: "client-secret-1",
      scope: "records",
      audience: "crm",
    },
  ],
  [
    { grant: "refresh_token", refreshToken: "refresh-2", clientSecret: null, clientAuth: "basic" },
    null,
    { grant_type: "refresh_token", refresh_token: "refresh-2", client_id: "a:b", scope: "records" },
  ],
])("authenticates at the token endpoint as configured: %j", async (more, authorization, form) => {
  const fields = Object.entries<Json>({ ...oauth("a:b"), ...more }).filter(([, value]) => value !== null);
  const { calls } = await call({ url, authentication: Object.fromEntries(fields) }, server(() => true).answer);
  expect(calls[0]?.request.headers.get("authorization")).toBe(authorization);
  expect(Object.fromEntries(new URLSearchParams(await calls[0]?.request.text()))).toEqual(form);
});

it("does not share a token between clients of the same name", async () => {
  const { answer, issued } = server(() => true);
  await call({ url, authentication: oauth("shared") }, answer);
  await call({ url, authentication: { ...oauth("shared"), clientSecret: "another" } }, answer);
  expect(issued()).toBe(2);
});

it("requests a new token once when the token is refused", async () => {
  const { answer, issued } = server((token) => token === "token-2");
  const { outcome } = await call({ url, authentication: oauth("renews") }, answer);
  expect([outcome.ok, issued()]).toEqual([true, 2]);
});

it.each([
  [400, { error: "invalid_client", error_description: "unknown" }, "authentication_failed", false, "invalid_client"],
  [401, { error: "invalid_client" }, "authentication_failed", false, "invalid_client"],
  [400, { error: "invalid_scope" }, "authentication_failed", false, "invalid_scope"],
  [404, {}, "invalid_configuration", false, "http_404"],
  [429, {}, "rate_limit", true, "http_429"],
  [503, {}, "service_unavailable", true, "token_endpoint_unavailable"],
  [200, "<html>", "service_unavailable", true, "token_answer_unreadable"],
  [200, { error: "invalid_client" }, "authentication_failed", false, "invalid_client"],
  [200, { access_token: "t", token_type: "mac" }, "authentication_failed", false, "token_type_unsupported"],
  [200, { token: "?" }, "authentication_failed", false, "token_missing"],
])("reports a %i %j from the token endpoint as %s", async (status, body, type, retryable, code) => {
  const { outcome, calls } = await call({ url, authentication: oauth(`fails-${status}-${code}`) }, () =>
    jsonResponse(body, { status }),
  );
  expect([outcome, calls.length]).toMatchObject([{ ok: false, error: { type, retryable, code } }, 1]);
});

it("requests no token from a refused address", async () => {
  const authentication = { ...oauth("away"), tokenEndpoint: "https://10.0.0.1/token" };
  const { outcome, calls } = await call({ url, authentication });
  expect([outcome, calls]).toMatchObject([{ ok: false, error: { code: "egress_refused" } }, []]);
});
