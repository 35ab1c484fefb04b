// Apply over HTTP: plans, repeats, deletions, refusals, and requests that stop.
import { describe, expect, test } from "vitest";
import { CONFIGURATION_WRITES_MAX } from "#schema/limits/upkeep/configuration.ts";
import { openDb } from "#catalog/db.ts";
import { must, type Parsed } from "#test/support/api.ts";
import { database } from "#test/support/catalog.ts";
import { document, everything, NAMES, office, order, tenant } from "./office.ts";

/** The steps as `action kind/name`. */
const stepsOf = ({ steps }: Parsed): string[] =>
  steps.map(({ action, kind, name }: Parsed) => `${action} ${kind}/${name}`);

test("an export, applied to an empty tenant, gives an equal export", async () => {
  const first = await tenant();
  const applied = await must(200, first.apply(document));
  expect(applied.body).toMatchObject({ result: "changed", complete: true });
  expect(stepsOf(applied.body)).toEqual(NAMES.map((name) => `create ${name}`));
  expect(applied.body.missingSecrets).toEqual(["github_hook", "sendgrid_api_key"]);
  const exported = await first.read();
  expect(exported).toMatchObject({ secrets: ["github_hook", "sendgrid_api_key"], warnings: [] });
  expect(exported.definitions[0].actions[0].config.template).toBe("receipt");
  expect(exported.recurring).toMatchObject([
    { name: "daily" },
    { name: "ping", enabled: false, priority: 7, window: { from: "09:00" }, cap: { name: "gentle" } },
  ]);
  const second = await tenant();
  await must(200, second.apply(exported));
  expect(await second.read()).toEqual(exported);
});

test("one resource of every kind, exported and applied to an empty tenant, gives an equal export", async () => {
  const [first, second] = [await tenant(), await tenant()];
  const { body } = await must(200, first.apply(everything));
  expect(body.counts).toMatchObject({ create: NAMES.length + 3, conflict: 0 });
  const exported = await first.read();
  expect(exported.definitions.map(({ kind, name }: Parsed) => `${kind} ${name}`)).toEqual([
    "machine order",
    "journey season",
    "reconciler server",
  ]);
  expect(exported.triggers.map(({ kind }: Parsed) => kind)).toEqual(["poller", "webhook", "event"]);
  await must(200, second.apply(exported));
  expect(await second.read()).toEqual(exported);
  for (const again of [everything, exported]) {
    const repeated = await must(200, second.apply(again, "?prune=true"));
    expect(repeated.body).toMatchObject({ result: "unchanged", counts: { leave: NAMES.length + 3 } });
  }
});

test("applied twice, a document and its export change nothing", async () => {
  const { ask, apply, read } = await tenant();
  await must(200, apply(document));
  const audited = (await must(200, ask("GET", "/v1/audit"))).body.data.length;
  for (const again of [document, await read()]) {
    const { body } = await must(200, apply(again, "?prune=true"));
    expect(body).toMatchObject({ result: "unchanged", complete: true, counts: { leave: NAMES.length, create: 0 } });
  }
  expect((await must(200, ask("GET", "/v1/audit"))).body.data).toHaveLength(audited);
});

test("a dry run returns a plan with a change, a deletion and a conflict, and changes nothing", async () => {
  const { apply, read } = await tenant();
  await must(200, apply(document));
  const before = await read();
  const desired = {
    templates: [{ ...document.templates[0], text: "Thanks, {{ name }}" }],
    connections: [{ name: "mail", provider: "resend", credentials: { apiKey: "key" } }, document.connections[1]],
    triggers: [document.triggers[0]],
  };
  const { body } = await must(200, apply(desired, "?dryRun=true&prune=true"));
  expect(stepsOf(body)).toEqual([
    "change templates/receipt",
    "conflict connections/mail",
    "leave connections/shop",
    "leave triggers/list",
    "delete triggers/push",
  ]);
  expect(body.steps[0]).toMatchObject({
    state: "planned",
    changes: [{ kind: "changed", pointer: "/text", was: "Thank you, {{ name }}", is: "Thanks, {{ name }}" }],
  });
  expect(body.steps[1].conflict).toMatchObject({ pointer: "/connections/0/provider", code: "immutable" });
  expect(await read()).toEqual(before);
  const refused = await must(409, apply(desired, "?prune=true"));
  expect(refused.body).toMatchObject({
    code: "configuration_conflict",
    errors: [{ pointer: "/connections/0/provider" }],
  });
  expect(await read()).toEqual(before);
});

test("prune deletes what the document lacks, of its kinds only, and keeps what it still uses", async () => {
  const { ask, apply, read } = await tenant();
  await must(200, apply(document));
  await must(201, ask("POST", "/v1/definitions?draft=true", { ...order, name: "draft" }));
  const used = await must(409, apply({ ...document, connections: [document.connections[0]] }, "?prune=true"));
  expect(used.body.errors).toMatchObject([{ pointer: "/triggers/0/poll/request/service", code: "in_use" }]);
  const { body } = await must(
    200,
    apply({ definitions: [], triggers: [], recurring: [] }, "?prune=true&reason=cleanup"),
  );
  expect(stepsOf(body)).toEqual([
    ...["delete recurring/daily", "delete recurring/ping", "delete triggers/list", "delete triggers/push"],
    "delete definitions/order",
  ]);
  expect(await read()).toMatchObject({
    definitions: [],
    triggers: [],
    recurring: [],
    templates: [{}],
    connections: [{}, {}],
  });
  const audit = await must(200, ask("GET", "/v1/audit?verb=trigger.delete"));
  expect(audit.body.data).toMatchObject([{ reason: "cleanup" }, { reason: "cleanup" }]);
  await must(200, ask("GET", "/v1/definitions/draft@draft"));
  expect((await must(200, apply(document))).body.counts).toMatchObject({ create: 5, leave: 7 });
});

test("a changed template changes the definitions that use it", async () => {
  const { ask, apply } = await tenant();
  await must(200, apply(document));
  const templates = [{ ...document.templates[0], text: "Bye" }];
  const { body } = await must(200, apply({ ...document, templates }));
  expect(body.counts).toMatchObject({ change: 2, leave: NAMES.length - 2 });
  const stored = await must(200, ask("GET", "/v1/definitions/order"));
  expect(stored.body).toMatchObject({ version: 2, body: { actions: [{ config: { template: "receipt@2" } }] } });
});

test("a recurring action that an operator paused stays paused", async () => {
  const { ask, apply } = await tenant();
  await must(200, apply(document));
  await must(200, ask("POST", "/v1/recurring/daily/pause", {}));
  expect((await must(200, apply(document))).body.result).toBe("unchanged");
  expect((await must(200, ask("GET", "/v1/recurring/daily"))).body.status).toBe("paused");
});

describe("a document is refused as a whole", () => {
  test("with all findings, each with its pointer", async () => {
    const { apply, read } = await tenant();
    const before = await read();
    const broken = {
      templates: [{ name: "receipt", text: "{{ name" }, { text: "no name" }],
      connections: [
        { name: "mail", provider: "sendgrid", baseURL: "x" },
        document.connections[1],
        document.connections[1],
      ],
      definitions: [{ ...order, initial: "none" }],
      triggers: [{ ...document.triggers[1], target: { kind: "start", definition: "gone" } }],
      recurring: [
        { name: "daily", cron_expr: "61 9 * * *", definition: "order" },
        { name: "x", cron_expr: "0 9 * * *" },
      ],
      prices: { currency: "euro", prices: {} },
    };
    const { body } = await must(400, apply(broken));
    const pointers = body.errors.map(({ pointer }: Parsed) => pointer);
    for (const expected of [
      ...["/templates/1/name", "/connections/0/baseURL", "/connections/2/name", "/definitions/0/initial"],
      ...["/triggers/0/target/definition", "/recurring/0/cron_expr", "/recurring/1/provider", "/prices/currency"],
    ])
      expect(pointers).toContain(expected);
    expect(pointers.some((pointer: string) => pointer.startsWith("/templates/0"))).toBe(true);
    expect(await read()).toEqual(before);
  });

  test("without the scope of a step", async () => {
    const { apply, read } = await tenant(undefined, ["read", "write"]);
    const { body } = await must(403, apply(document, "?dryRun=true"));
    expect(body.code).toBe("scope_missing");
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer: "/connections/0", code: "scope_missing" }));
    expect((await read()).templates).toEqual([]);
    await must(200, apply({ templates: document.templates, definitions: document.definitions }));
  });

  test("with a credential that the export has hidden", async () => {
    const { ask, apply, read } = await tenant();
    const config = { url: "https://ops.example.com", headers: { Authorization: "Bearer abc" } };
    await must(201, ask("PUT", "/v1/alert-channels/ops", { channel: { kind: "webhook", config } }));
    const exported = await read();
    expect(JSON.stringify(exported)).not.toContain("Bearer abc");
    expect(exported.warnings).toMatchObject([
      { pointer: "/alertChannels/0/channel/config", code: "credential_redacted" },
    ]);
    expect((await must(400, apply(exported))).body.errors).toMatchObject([{ code: "credential_redacted" }]);
  });
});

test("a request that stops says what was done, and a repeated one continues", async () => {
  const made = office();
  const { id, apply, read } = await tenant(made);
  await must(200, made.ask("PATCH", `/v1/tenants/${id}`, { body: { limits: { connections: 1 } } }));
  const { body } = await must(429, apply(document));
  expect(body).toMatchObject({
    code: "quota_exceeded",
    details: { stoppedAt: "connections/shop", done: ["templates/receipt", "connections/mail"] },
  });
  expect(body.details.left).toEqual(NAMES.slice(3));
  expect(await read()).toMatchObject({
    templates: [{ name: "receipt" }],
    connections: [{ name: "mail" }],
    triggers: [],
  });
  await must(200, made.ask("PATCH", `/v1/tenants/${id}`, { body: { limits: { connections: 9 } } }));
  expect((await must(200, apply(document))).body.counts).toMatchObject({ leave: 2, create: NAMES.length - 2 });
});

test("one request makes a limited number of writes, and repeated ones do the rest", async () => {
  const { apply } = await tenant();
  const templates = Array.from({ length: CONFIGURATION_WRITES_MAX + 1 }, (_, n) => ({ name: `t${n}`, text: "x" }));
  const first = (await must(200, apply({ templates }))).body;
  expect(first.complete).toBe(false);
  expect(first.steps.filter(({ state }: Parsed) => state === "left")).toHaveLength(1);
  expect((await must(200, apply({ templates }))).body).toMatchObject({ complete: true, counts: { create: 1 } });
});

test("a failure of the catalog in the middle is 503, and says what was done", async () => {
  let isDown = true;
  const prepare = (sql: string) => {
    if (isDown && /insert into "connections"/i.test(sql)) throw new Error("D1_ERROR: the database does not answer");
    return database().prepare(sql);
  };
  // The tests' catalog, which refuses one statement.
  const binding = new Proxy(database(), { get: (db, name) => (name === "prepare" ? prepare : bound(db, name)) });
  const { apply } = await tenant(office({ db: openDb(binding) }));
  const { body } = await must(503, apply(document));
  expect(body).toMatchObject({ code: "unavailable", details: { done: ["templates/receipt"] } });
  expect(body.details.stoppedAt).toBe("connections/mail");
  isDown = false;
  expect((await must(200, apply(document))).body.counts).toMatchObject({ leave: 1, create: NAMES.length - 1 });
});

function bound(db: D1Database, name: string | symbol): unknown {
  const member: unknown = Reflect.get(db, name);
  return typeof member === "function" ? member.bind(db) : member;
}
