// Where a secret goes: to the provider, and nowhere else. Canaries are planted and used in address, query, header and
// payload, in both lanes, against a provider that says back all it hears, on success and on failure. Then everything
// that is kept or said is searched for them: the catalog, the objects, the console, and every answer of the API.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { plainRow } from "#test/durable-objects/plain-row.ts";
import { bindings, engine, PROVIDER, provider, type Call, type Engine } from "./engine.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

/** What cannot be spelled in more than one way, whatever is escaped around it. */
const CORES = ["canary7f3a9c51e2", "sharp5c0ffee1d2"];
const [PLAIN = "", SHARP = ""] = CORES;
/** Every letter in it is written differently in an address, a query, JSON or HTML. */
const VALUES = { plain: PLAIN, sharp: `a/b c"&'<${SHARP}>+%=\\é~|{}` };

const config = {
  url: `${PROVIDER}/{{ secrets.plain }}/hook/{{ secrets.sharp }}`,
  query: { token: "{{ secrets.plain }}", q: "x{{ secrets.sharp }}" },
  headers: { Authorization: "Bearer {{ secrets.plain }}", "X-Custom": "{{ secrets.sharp }}" },
  payload: { deep: [{ token: "{{ secrets.plain }}" }, "and {{ secrets.sharp }}, and {{ execution.id }}"] },
};

const definition = (name: string, lane: string) => ({
  kind: "machine",
  name,
  initial: "calling",
  variables: { tried: 0 },
  states: {
    calling: { on: { "action.call.ok": "again", "action.call.failed": "again" } },
    again: { on: { "action.refused.failed": "done" } },
    done: { type: "final" },
  },
  actions: ["call", "refused"].map((actionId) => ({
    actionId,
    type: "webhook",
    triggerState: actionId === "call" ? "calling" : "again",
    lane,
    config: { ...config, query: { ...config.query, action: actionId } },
    retryPolicy: { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 1, jitter: "none" },
  })),
});

const said: string[] = [];
beforeEach(() => {
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => void said.push(args.map(textOf).join(" ")));
  }
});
afterEach(() => vi.restoreAllMocks());

it.each(["direct", "queue"])("a secret reaches the provider and is found nowhere else (%s lane)", async (lane) => {
  const { calls } = provider(echo);
  const here = await engine(definition("canaries", lane));
  for (const [name, value] of Object.entries(VALUES))
    await here.must(200, "PUT", `/v1/secrets/${name}`, { body: { value } });
  const execution = await here.start("canaries");
  await here.reaches(execution, "completed");

  expect(calls.map(({ attempt, url }) => [url.searchParams.get("action"), attempt])).toEqual([
    ["call", 1],
    ["call", 2],
    ["refused", 1],
  ]);
  for (const call of calls) {
    expect(call.url.pathname).toBe(new URL(`${PROVIDER}/${VALUES.plain}/hook/${VALUES.sharp}`).pathname);
    expect(call.url.searchParams.get("q")).toBe(`x${VALUES.sharp}`);
    expect(call.headers.get("X-Custom")).toBe(VALUES.sharp);
    expect(JSON.parse(call.body).deep[1]).toBe(`and ${VALUES.sharp}, and ${execution}`);
  }

  const kept = {
    ...(await everyTable()),
    ...(await everyObject()),
    console: said.join("\n"),
    ...(await everyAnswer(here, execution)),
  };
  // What was searched did hold what it should: the runs, their slots, and what the provider said.
  const shown = JSON.stringify(kept);
  for (const expected of ['"$secret"', "[redacted]", "http_500", "http_400", "webhook_called", "secret.set", execution])
    expect(shown.replaceAll("\\", "")).toContain(expected);
  for (const [where, text] of Object.entries(kept)) {
    for (const core of CORES) expect(excerpt(text, core), where).toBeNull();
  }
});

/** Says back everything, everywhere: 500 at first, then 200; one action is always refused. */
function echo(call: Call): Response {
  const isRefused = call.url.searchParams.get("action") === "refused";
  const status = isRefused ? 400 : call.attempt === 1 ? 500 : 200;
  const headers = [...call.headers];
  const heard = {
    url: call.url.href,
    query: [...call.url.searchParams],
    headers,
    body: call.body,
    parsed: JSON.parse(call.body),
  };
  const text = isRefused
    ? `<p>${call.url.href}</p>\n${call.headers.get("X-Custom")}\n${call.body}`
    : JSON.stringify(heard);
  return new Response(text, {
    status,
    headers: {
      "Content-Type": isRefused ? "text/html" : "application/json",
      "X-Request-Id": call.headers.get("Authorization") ?? "",
      "X-RateLimit-Remaining": call.headers.get("X-Custom") ?? "",
      Location: call.url.href,
      ETag: call.url.pathname,
    },
  });
}

async function everyTable(): Promise<Record<string, string>> {
  const { results } = await bindings.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const tables: Record<string, string> = {};
  for (const { name } of results) {
    tables[`table ${name}`] = JSON.stringify((await bindings.DB.prepare(`SELECT * FROM "${name}"`).all()).results);
  }
  expect(Object.keys(tables)).toEqual(
    expect.arrayContaining(["table secrets", "table runs", "table audit", "table stored_responses"]),
  );
  return tables;
}

async function everyObject(): Promise<Record<string, string>> {
  const objects: Record<string, string> = {};
  for (const id of await listDurableObjectIds(bindings.EXECUTIONS)) {
    objects[`object ${id.toString()}`] = await runInDurableObject(
      bindings.EXECUTIONS.get(id),
      (_instance, { storage }) => {
        const tables = storage.sql
          .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
          .toArray();
        const own = tables.filter(({ name }) => !name.startsWith("_cf_"));
        return JSON.stringify(
          own.map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray().map(plainRow)),
        );
      },
    );
  }
  expect(JSON.stringify(objects)).toContain("run_settled");
  return objects;
}

/** Every GET that the API describes and that can be filled in. */
async function everyAnswer({ ask, must }: Engine, execution: string): Promise<Record<string, string>> {
  const names: Record<string, Record<string, string>> = {
    executions: { id: execution },
    definitions: { ref: "canaries", version: "1" },
  };
  const { paths } = await must(200, "GET", "/openapi.json");
  const answers: Record<string, string> = {};
  for (const [path, item] of Object.entries<object>(paths)) {
    const known = names[path.split("/")[2] ?? ""] ?? {};
    const address = path.replace(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all);
    if (!("get" in item) || address.includes("{") || path.endsWith("/live")) continue;
    const { status, body, headers } = await ask("GET", address);
    expect([200, 400, 403, 404, 409], address).toContain(status);
    answers[`GET ${address}`] = JSON.stringify([body, [...headers]]);
  }
  for (const path of ["", "/journal", "/runs"])
    expect(Object.keys(answers)).toContain(`GET /v1/executions/${execution}${path}`);
  return answers;
}

/** Something of the surroundings, so that a leak can be found. */
function excerpt(text: string, core: string): string | null {
  const at = text.indexOf(core);
  return at < 0 ? null : text.slice(Math.max(0, at - 200), at + 100);
}

function textOf(value: unknown): string {
  return value instanceof Error ? `${value.stack}` : typeof value === "string" ? value : JSON.stringify(value);
}
