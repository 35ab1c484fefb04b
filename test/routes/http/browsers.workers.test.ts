// CORS over HTTP: which origins a tenant allows, and the refusals of others.
import { describe, expect, test } from "vitest";
import { api, must, shop } from "#test/support/api.ts";
import { naming } from "#test/support/matchers/naming.ts";

const PAGE = "https://app.example.com";

async function listed(...origins: string[]) {
  const made = api();
  const { tenant, key } = await shop(made);
  const list = (body: object) => made.ask("PATCH", `/v1/tenants/${tenant}`, { body });
  if (origins.length > 0) await must(200, list({ origins }));
  const startFrom = (origin: string) =>
    made.ask("POST", "/v1/executions", { key, body: { definition: "order" }, headers: { Origin: origin } });
  return { ...made, tenant, key, list, startFrom };
}

describe("a preflight", () => {
  const asking = { Origin: PAGE, "Access-Control-Request-Method": "POST" };

  test("needs no key, and lists methods and headers", async () => {
    const { ask } = await listed();
    const { headers } = await must(204, ask("OPTIONS", "/v1/executions", { key: null, headers: asking }));
    expect(headers.get("Access-Control-Allow-Origin")).toBe(PAGE);
    expect(headers.get("Access-Control-Allow-Methods")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
    expect(headers.get("Access-Control-Allow-Headers")).toMatch(
      /Authorization.*Idempotency-Key.*If-None-Match.*If-State/,
    );
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Vary")).toBe("Origin");
  });

  test("works for paths with ids; OPTIONS without preflight headers is 405", async () => {
    const { ask } = await listed();
    const { headers } = await must(204, ask("OPTIONS", "/v1/secrets/x", { key: null, headers: asking }));
    expect(headers.get("Access-Control-Allow-Methods")).toMatch(/PUT/);
    await must(405, ask("OPTIONS", "/v1/executions", { headers: { Origin: PAGE } }));
  });
});

describe("a call from a page", () => {
  test("from an allowed origin gets a readable response", async () => {
    const { startFrom } = await listed("https://other.example.com", PAGE);
    const { headers } = await must(201, startFrom(PAGE));
    expect(headers.get("Access-Control-Allow-Origin")).toBe(PAGE);
    expect(headers.get("Access-Control-Expose-Headers")).toMatch(/Retry-After/);
  });

  test.each(["https://app.example.com:8443", "http://app.example.com", "https://evil.example.com", "null"])(
    "of %s does nothing, and says who can list it",
    async (origin) => {
      const { startFrom, cells, tenant } = await listed(PAGE);
      const { body, headers } = await must(403, startFrom(origin));
      expect(body).toMatchObject({ code: "origin_not_allowed", errors: [{ pointer: "Origin" }] });
      expect(body.hint).toContain(`PATCH /v1/tenants/${tenant}`);
      expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(cells.calls).toEqual([]);
    },
  );

  test("from another tenant's origin changes nothing", async () => {
    const made = await listed(PAGE);
    const other = await shop(made);
    const headers = { Origin: PAGE };
    await must(403, made.ask("GET", "/v1/executions", { key: other.key, headers }));
    await must(200, made.ask("GET", "/v1/executions", { key: made.key, headers }));
  });

  test("from the API's own origin is allowed; with the root key and no tenant another origin is refused", async () => {
    const { startFrom, ask } = await listed();
    await must(201, startFrom("https://api.test"));
    await must(403, ask("GET", "/v1/tenants", { headers: { Origin: PAGE } }));
  });

  test("with an invalid key gets a readable 401", async () => {
    const { ask } = await listed(PAGE);
    const refused = await must(401, ask("GET", "/v1/executions", { key: "esc_none", headers: { Origin: PAGE } }));
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe(PAGE);
  });
});

describe("a WebSocket from a page", () => {
  const watching = async (origin: string | null, ...origins: string[]) => {
    const made = await listed(...origins);
    await must(
      201,
      made.ask("POST", "/v1/executions", { key: made.key, body: { definition: "order", id: "exe_seen" } }),
    );
    const from = origin === null ? {} : { Origin: origin };
    const headers = { Upgrade: "websocket", "Sec-WebSocket-Protocol": `escapement.v1, key.${made.key}`, ...from };
    return made.ask("GET", "/v1/executions/exe_seen/live", { key: null, headers });
  };

  test("opens from an allowed origin, the API's own, and without Origin", async () => {
    expect((await watching(PAGE, PAGE)).status).toBe(101);
    expect((await watching("https://api.test")).status).toBe(101);
    expect((await watching(null)).status).toBe(101);
  });

  test("is refused from other origins", async () => {
    const { status, body } = await watching("https://evil.example.com", PAGE);
    expect([status, body.code]).toEqual([403, "origin_not_allowed"]);
  });
});

describe("the allowed origins", () => {
  test("are shown with the tenant, kept when other fields change, and can be emptied", async () => {
    const { list, startFrom, ask, tenant } = await listed(PAGE);
    expect((await must(200, list({ name: "Other" }))).body.origins).toEqual([PAGE]);
    expect((await must(200, ask("GET", `/v1/tenants/${tenant}`))).body.origins).toEqual([PAGE]);
    expect((await must(200, list({ origins: [] }))).body.origins).toEqual([]);
    await must(403, startFrom(PAGE));
  });

  test.each([
    "*",
    "https://*.example.com",
    "https://app.example.com/",
    "http://app.example.com",
    "app.example.com",
    "",
  ])("do not accept %j", async (origin) => {
    const { list } = await listed();
    const { body } = await must(400, list({ origins: [PAGE, origin] }));
    expect(body.errors).toMatchObject([{ pointer: "/origins/1", message: naming("https:") }]);
  });

  test("accept loopback without https, for local development", async () => {
    const { list, startFrom } = await listed();
    await must(200, list({ origins: ["http://localhost:5173", "http://127.0.0.1:3000"] }));
    await must(201, startFrom("http://localhost:5173"));
  });
});

test("over HTTPS every response has Strict-Transport-Security", async () => {
  const { fetch } = await listed();
  const over = async (scheme: string) => (await fetch(`${scheme}://api.test/health`, {})).headers;
  expect((await over("https")).get("Strict-Transport-Security")).toMatch(/^max-age=\d{8}$/);
  expect((await over("http")).get("Strict-Transport-Security")).toBeNull();
});
