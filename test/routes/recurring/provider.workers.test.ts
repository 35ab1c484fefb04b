// The field `provider` of a recurring action: an action type, or the name of a connection, which determines the type.
import { describe, expect, test } from "vitest";
import { must } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";
import specified from "./specified-email.json" with { type: "json" };

const mail = { name: "mail", provider: "sendgrid", credentials: { apiKey: "sendgrid_key" } };
const team = { name: "team", provider: "slack", credentials: { token: "slack_token" } };
const template = { name: "send_digest", text: "All is well", subject: "x" };

type Connection = { readonly name: string; readonly provider: string };

async function withConnections(...connections: readonly Connection[]) {
  const made = await here();
  for (const connection of connections) await must(201, made.ask("POST", "/v1/connections", connection));
  const configOf = async (over: object) => {
    await made.create(over);
    await made.until(next);
    const [state] = made.cells.states();
    const { actionId, type, config } = state?.standalone?.action ?? {};
    return { actionId, type, config };
  };
  const refused = async (over: object) =>
    (await must(400, made.ask("POST", PATH, { ...digest, ...over }))).body.errors[0];
  return { ...made, configOf, refused };
}

describe("the specification's e-mail example", () => {
  const { tenant: _tenant, ...email } = specified;

  test("is refused if no connection can send it, or it has no text", async () => {
    const { ask, refused } = await withConnections();
    expect(await refused(email)).toMatchObject({ pointer: "/provider", code: "connection_missing" });
    await must(201, ask("POST", "/v1/connections", mail));
    expect(await refused(email)).toMatchObject({ pointer: "/payload/text", code: "required" });
  });

  test("works as written with one connection and a template named as the action type", async () => {
    const { ask, until, cells, tenant } = await withConnections(mail, team);
    await must(201, ask("POST", "/v1/templates", template));
    await must(201, ask("POST", PATH, { ...specified, tenant }));
    await until(next);
    const config = { ...specified.payload, provider: "sendgrid", connection: "mail", template: "send_digest@1" };
    expect(cells.states()[0]?.standalone?.action).toMatchObject({ actionId: "send_digest", type: "email", config });
  });
});

describe("provider", () => {
  const post = { name: "post", provider: "resend", credentials: { apiKey: "resend_key" } };
  const message = { to: "team@example.com", subject: "Hi", text: "Hello" };
  const crm = { name: "crm", provider: "pipedrive", baseUrl: "https://crm.example.com" };

  test.each([
    ["email", message, { provider: "sendgrid", connection: "mail", ...message }, "email"],
    ["slack", { text: "Hi" }, { connection: "team", text: "Hi" }, "slack"],
    ["api_call", { endpoint: "/deals" }, { service: "crm", endpoint: "/deals" }, "api_call"],
    ["generic", { endpoint: "/deals" }, { service: "crm", endpoint: "/deals" }, "api_call"],
    ["crm", { endpoint: "/deals" }, { service: "crm", endpoint: "/deals" }, "api_call"],
    ["team", { text: "Hi" }, { connection: "team", text: "Hi" }, "slack"],
    ["mail", message, { provider: "sendgrid", connection: "mail", ...message }, "email"],
  ])("%s with %j uses the tenant's connection", async (provider, payload, config, type) => {
    const { configOf } = await withConnections(mail, team, crm);
    expect(await configOf({ provider, payload })).toEqual({ actionId: "send_digest", type, config });
  });

  test("is the action type, even if a connection has the type's name", async () => {
    const { configOf } = await withConnections({ ...crm, name: "webhook" });
    expect(await configOf({})).toMatchObject({ type: "webhook", config: digest.payload });
  });

  test("with several connections for its type is refused with their names", async () => {
    const { refused, configOf } = await withConnections(mail, post);
    const error = await refused({ provider: "email", payload: message });
    expect(error).toMatchObject({ pointer: "/provider", code: "connection_ambiguous" });
    expect(error.message).toContain("mail, post");
    const named = { provider: "email", payload: { ...message, connection: "post" } };
    expect((await configOf(named)).config).toMatchObject({ provider: "resend", connection: "post" });
  });

  test.each([
    ["slack", { text: "Hi" }, "/provider", "connection_missing"],
    ["slack", { text: "Hi", connection: "teem" }, "/payload/connection", "connection_missing"],
    ["slack", { text: "Hi", connection: "mail" }, "/payload/connection", "connection_mismatch"],
    ["email", { ...message, provider: "resend" }, "/payload/provider", "connection_missing"],
    ["api_call", { endpoint: "/deals" }, "/provider", "connection_missing"],
    ["constructor", {}, "/provider", "unknown_provider"],
  ])("%s with %j is refused without its connection", async (provider, payload, pointer, code) => {
    const { refused } = await withConnections(mail);
    expect(await refused({ provider, payload })).toMatchObject({ pointer, code });
  });
});
