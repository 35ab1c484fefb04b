// Warnings about names that a definition uses and its tenant does not have; they disappear after the fix.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import type { Warning } from "#schema/refusal.ts";
import { createConnection, getConnection } from "#services/connections/connections.ts";
import { createDefinition } from "#services/definitions/create-definition.ts";
import { definitionNoun } from "#services/definitions/definition-noun.ts";
import { reviewDefinition } from "#services/definitions/validate-definition.ts";
import { setSecret } from "#services/secrets/secrets.ts";
import { archiveVersions } from "#services/versioned/archive-versions.ts";
import { brokenBinding, callerOf, newTenant, world } from "#test/support/catalog.ts";
import { patched } from "#test/support/json-patch.ts";
import { naming } from "#test/support/matchers/naming.ts";

const done = { type: "final" };

function calling(name: string, ...actions: readonly { type?: string; config: object }[]) {
  const each = actions.map((part, n) => ({ actionId: `a${n}`, type: "webhook", triggerState: "open", ...part }));
  return { kind: "machine", name, initial: "open", states: { open: { on: { close: "done" } }, done }, actions: each };
}

function here() {
  const deps = world();
  const caller = callerOf(newTenant());
  const warningsOf = async (body: object, over = deps): Promise<readonly Warning[]> => {
    const review = await reviewDefinition(over, caller, body);
    return review.ok ? review.value.warnings : [];
  };
  /** Done as the warnings say. */
  const mended = async (body: object): Promise<readonly Warning[]> =>
    warningsOf(
      patched(
        body,
        (await warningsOf(body)).flatMap(({ patch }) => patch ?? []),
      ),
    );
  return { deps, caller, warningsOf, mended };
}

it("warns of a secret that is not set, and suggests a similar one", async () => {
  const { deps, caller, warningsOf, mended } = here();
  const name = "crm_token";
  await setSecret(deps, caller, { name, value: "s3cr3t", hosts: null, dryRun: false });
  const body = calling("mail", { config: { auth: "Bearer {{ secrets.crm_tokn }}", key: "{{secrets.other}}" } });
  const where = "/actions/0/config";
  expect(await warningsOf(body)).toEqual([
    {
      severity: "warning",
      pointer: `${where}/auth`,
      code: "secret_unset",
      message: naming("crm_tokn"),
      fix: naming("crm_token", "PUT /v1/secrets/crm_tokn"),
      patch: [{ op: "replace", path: `${where}/auth`, value: "Bearer {{ secrets.crm_token }}" }],
    },
    {
      severity: "warning",
      pointer: `${where}/key`,
      code: "secret_unset",
      message: naming("other"),
      fix: naming("PUT /v1/secrets/other"),
    },
  ]);
  expect(await mended(body)).toMatchObject([{ pointer: `${where}/key` }]);
  await setSecret(deps, caller, { name: "other", value: "s3cr3t", hosts: null, dryRun: false });
  expect(await mended(body)).toEqual([]);
});

it("warns of a connection that does not exist, by name or by id", async () => {
  const { deps, caller, warningsOf, mended } = here();
  const body = { name: "mail", provider: "sendgrid", secrets: {} };
  const made = await createConnection(deps, caller, { body: body as never, dryRun: false });
  const id = made.ok ? made.value.id : "";
  const uses = ["mail", id, "mial", "elsewhere", "{{ execution.variables.connection }}"];
  const definition = calling("mail", ...uses.map((connection) => ({ config: { connection } })));
  expect(await warningsOf(definition)).toMatchObject([
    { pointer: "/actions/2/config/connection", code: "connection_unknown", patch: [{ value: "mail" }] },
    { pointer: "/actions/3/config/connection", fix: expect.stringContaining("POST /v1/connections") },
  ]);
  expect(await mended(definition)).toMatchObject([{ pointer: "/actions/3/config/connection" }]);
});

it("warns of a child definition that does not exist or is archived", async () => {
  const { deps, caller, warningsOf, mended } = here();
  for (const name of ["child", "gone"]) await createDefinition(deps, caller, { body: calling(name), dryRun: false });
  await archiveVersions(deps, caller, definitionNoun, { reference: "gone", reason: null, dryRun: false });
  await createDefinition(deps, caller, { body: calling("drafted"), draft: true, dryRun: false });
  const uses = [
    "child",
    "child@1",
    "chidl",
    "gone",
    "parent",
    "child@7",
    "{{ execution.variables.which }}",
    "drafted",
    "drafted@1",
  ];
  const actions = uses.map((definition) => ({ type: "start_execution", config: { definition } }));
  const body = calling("parent", ...actions, { config: { definition: "an e-mail's own" } });
  expect(await warningsOf(body)).toMatchObject([
    { pointer: "/actions/2/config/definition", code: "definition_unknown", patch: [{ value: "child" }] },
    { pointer: "/actions/3/config/definition", message: naming("gone") },
    { pointer: "/actions/5/config/definition", patch: [{ value: "child" }] },
    {
      pointer: "/actions/7/config/definition",
      message: naming("drafted"),
      fix: naming("POST /v1/definitions/drafted@1/publish"),
    },
  ]);
  expect(await mended(body)).toMatchObject([
    { pointer: "/actions/3/config/definition" },
    { pointer: "/actions/7/config/definition" },
  ]);
});

it("names of another tenant do not count, and a catalog without an answer gives no warning", async () => {
  const { deps, warningsOf } = here();
  await setSecret(deps, callerOf(newTenant()), { name: "theirs", value: "s3cr3t", hosts: null, dryRun: false });
  const body = calling("mail", { config: { key: "{{ secrets.theirs }}" } });
  expect(await warningsOf(body)).toMatchObject([{ code: "secret_unset" }]);
  expect(await warningsOf(body, { ...deps, db: openDb(brokenBinding) })).toEqual([]);
});

it("warns of variables that a child definition would refuse", async () => {
  const { deps, caller, warningsOf } = here();
  const input = { properties: { amount: { type: "number" } }, required: ["amount"], additionalProperties: false };
  const body = { ...calling("refund"), input };
  await createDefinition(deps, caller, { body, dryRun: false });
  const starting = (variables: object, definition = "refund", part: object = {}) => ({
    ...calling("order", { type: "start_execution", config: { definition, variables } }),
    ...part,
  });
  expect(await warningsOf(starting({ amuont: 5 }))).toMatchObject([
    { severity: "warning", code: "child_input", pointer: "/actions/0/config/variables" },
    { code: "child_input", pointer: "/actions/0/config/variables/amuont", fix: naming("amount") },
  ]);
  expect(await warningsOf(starting({ amount: "{{ execution.variables.amount }}" }))).toEqual([]);
  expect(await warningsOf(starting({ amount: "5" }, "order", { input }))).toMatchObject([{ code: "child_input" }]);
  expect(await warningsOf(starting({ anything: 5 }, "order"))).toEqual([]);
});

it("warns of a connection that an action needs and no connection can be, or several could be", async () => {
  const { deps, caller, warningsOf } = here();
  const body = calling("notify", { type: "slack", config: { text: "hi" } }, { type: "sms", config: { body: "hi" } });
  expect(await warningsOf(body)).toMatchObject([
    { pointer: "/actions/0/config", code: "connection_unknown", message: naming("slack") },
    { pointer: "/actions/1/config", code: "connection_unknown", fix: naming("twilio") },
  ]);
  const create = async (name: string, provider: string) =>
    createConnection(deps, caller, { body: { name, provider }, dryRun: false });
  await create("team", "slack");
  await create("text", "twilio");
  await create("texts", "twilio");
  expect(await warningsOf(body)).toMatchObject([{ code: "connection_ambiguous", message: naming("text", "texts") }]);
});

it("warns of the needed connections of all types", async () => {
  const { deps, caller, warningsOf } = here();
  const real = { ...deps, actionTypes, configFindings };
  const create = (name: string, provider: string) =>
    createConnection(deps, caller, { body: { name, provider }, dryRun: false });
  const body = calling(
    "sync",
    { type: "database", config: { sql: "SELECT 1" } },
    { type: "api_call", config: { endpoint: "orders" } },
    { type: "push", config: { token: "t", title: "Hi" } },
    { type: "email", config: { to: "a@example.com", subject: "Hi", text: "Hi" } },
    { type: "api_call", config: { service: "crn", endpoint: "orders" } },
    { type: "api_call", config: { url: "https://example.com" } },
    { type: "email", config: { provider: "{{ secrets.provider }}", to: "a@example.com", subject: "Hi", text: "Hi" } },
  );
  const found = async () =>
    (await warningsOf(body, real)).map(({ pointer, code, patch }) => [pointer, code, patch?.[0]?.op ?? null]);
  const unknown = (n: number) => [`/actions/${n}/config`, "connection_unknown", null];
  const secret = ["/actions/6/config/provider", "secret_unset", null];
  const misspelt = ["/actions/4/config/service", "connection_unknown", null];
  expect(await found()).toEqual([secret, misspelt, unknown(0), unknown(1), unknown(2), unknown(3)]);
  await create("crm", "http");
  await create("shop", "http");
  await create("data", "database");
  expect(await found()).toEqual([
    secret,
    ["/actions/4/config/service", "connection_unknown", "replace"],
    ["/actions/1/config", "connection_ambiguous", null],
    unknown(2),
    unknown(3),
  ]);
});

it("warns of a service or database that the installation does not have", async () => {
  const { deps, warningsOf } = here();
  const body = calling(
    "sync",
    { type: "worker", config: { service: "shpo", method: "sync" } },
    { type: "database", config: { database: "customers", sql: "SELECT 1" } },
    { type: "worker", config: { service: "{{ execution.variables.service }}", method: "sync" } },
  );
  const real = { ...deps, actionTypes, configFindings };
  const warnings = (await warningsOf(body, real)).filter(({ code }) => code.endsWith("_not_open"));
  expect(warnings).toMatchObject([
    { pointer: "/actions/0/config/service", code: "service_not_open", fix: naming("shop") },
    { pointer: "/actions/1/config/database", code: "database_not_open", fix: naming("crm") },
  ]);
});

it("an unknown connection is refused with the name that was probably meant", async () => {
  const { deps, caller } = here();
  await createConnection(deps, caller, { body: { name: "mail", provider: "sendgrid" }, dryRun: false });
  const refusal = async (ref: string) => getConnection(deps, caller, { ref });
  expect(await refusal("mial")).toMatchObject({ refusal: { code: "not_found", hint: naming("mail") } });
  expect(await refusal("elsewhere")).not.toHaveProperty("refusal.hint");
});

it("warns of a connection whose secret is not set, once for all places", async () => {
  const { deps, caller, warningsOf } = here();
  const credentials = { webhookUrl: "slack_hook" };
  await createConnection(deps, caller, { body: { name: "team", provider: "slack", credentials }, dryRun: false });
  const post = { type: "slack", config: { text: "hi" } };
  const body = calling("notify", post, { ...post, config: { text: "hi", connection: "team" } });
  expect(await warningsOf(body)).toMatchObject([
    {
      pointer: "/actions/1/config/connection",
      places: ["/actions/1/config/connection", "/actions/0/config"],
      code: "connection_secret_unset",
      fix: naming("PUT /v1/secrets/slack_hook"),
    },
  ]);
  await setSecret(deps, caller, { name: "slack_hook", value: "https://hooks.slack.com/x", hosts: null, dryRun: false });
  expect(await warningsOf(body)).toEqual([]);
});

it("one answer has the faults of the form, of the meaning, of the configs and the missing names", async () => {
  const { deps, caller } = here();
  const wrong = {
    ...calling("everything", { type: "htp", config: {} }, { type: "webhook", config: { connection: "team" } }),
    ...{ foo: 1, timezone: "Berlin" },
    states: { open: { on: { close: "done", x: "zzz" } }, done },
  };
  const timed = { actionId: "timed", type: "webhook", triggerState: "open", config: { url: "https://a.example" } };
  const body = { ...wrong, actions: [...wrong.actions, { actionId: "none" }, { ...timed, schedule: "30 26 * * *" }] };
  const review = await reviewDefinition(deps, caller, body);
  const found = review.ok ? review.value : { findings: [], warnings: [] };
  expect(found.findings.map(({ pointer }) => pointer).toSorted()).toEqual(
    [
      ...["/foo", "/timezone", "/actions/2/type", "/actions/2/config", "/states/open/on/x", "/actions/0/type"],
      ...["/actions/3/schedule", "/actions/1/config/url"],
    ].toSorted(),
  );
  expect(found.warnings).toMatchObject([{ pointer: "/actions/1/config/connection", code: "connection_unknown" }]);
});
