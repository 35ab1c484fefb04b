// A journey in the real engine: stored, started, walked by what its actions come to, listed, and refused where it is wrong.
import { expect, it } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { engine, PROVIDER, provider, until } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

const call = (path: string, more: object = {}): object => ({
  type: "webhook",
  config: { url: `${PROVIDER}/${path}` },
  ...more,
});

const journey = {
  kind: "journey",
  name: "welcome",
  initial: ["hello", "answer"],
  defaults: { webhook: { config: { payload: { to: "{{ execution.variables.name }}" } } } },
  exitWhen: [{ event: "left", outcome: "canceled" }],
  nodes: {
    hello: call("hello", { next: "both", assign: { greeted: { "!!": [{ var: "message.payload.result" }] } } }),
    answer: { type: "wait", for: [{ event: "answered", next: "both" }], timeout: { after: "P7D", next: "remind" } },
    remind: call("remind"),
    both: { type: "branch", cases: [{ guard: { var: "execution.variables.vip" }, next: "gift" }, { next: "thanks" }] },
    gift: call("gift", { retryPolicy: { maxAttempts: 1 }, onFailed: "thanks" }),
    thanks: call("thanks", { join: "any" }),
  },
};

it("is stored, started, walked to its end and listed", async () => {
  const { calls } = provider(({ url }) =>
    url.pathname === "/gift" ? new Response("no", { status: 400 }) : Response.json({ ok: true }),
  );
  const shop = await engine(journey);
  const id = await shop.start("welcome", { variables: { name: "Ada", vip: true } });
  const waiting = await until("hello is done", async () => {
    const found = await shop.read(id);
    return found.status === "waiting" ? found : null;
  });
  expect([waiting.states, waiting.waitingFor]).toEqual([
    ["answer"],
    [expect.objectContaining({ for: "timer" }), { for: "event", types: ["answered", "left"] }],
  ]);
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "answered" } });
  const done = await shop.reaches(id, "completed");
  expect(done.variables).toEqual({ name: "Ada", vip: true, greeted: true });
  expect(calls.map(({ url, body }) => [url.pathname, body])).toEqual(
    ["/hello", "/gift", "/thanks"].map((path) => [path, JSON.stringify({ to: "Ada" })]),
  );
  const runs = await shop.runs(id);
  expect(runs.map(({ action, status }: Parsed) => `${action} ${status}`)).toEqual([
    "hello ok",
    "gift failed",
    "thanks ok",
  ]);
  const listed = await until("it is listed", async () => {
    const { data } = await shop.must(200, "GET", "/v1/executions?status=completed");
    return data.length === 1 ? data[0] : null;
  });
  expect([listed.id, listed.definition.name]).toEqual([id, "welcome"]);
  const kinds = (await shop.journal(id)).map(({ kind }: Parsed) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["edge_taken", "nodes_skipped", "run_handled", "completed"]));
});

it("keeps what its types say, and a goal ends it", async () => {
  provider();
  const shop = await engine({ ...journey, name: "leaver" });
  const { body } = await shop.must(200, "GET", "/v1/definitions/leaver");
  expect(body.defaults).toEqual({
    webhook: { timeout: 30_000, config: { payload: { to: "{{ execution.variables.name }}" } } },
  });
  expect(body.nodes.thanks).toEqual(call("thanks", { join: "any" }));
  const id = await shop.start("leaver", { variables: { name: "Ada" } });
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "left" } });
  await shop.reaches(id, "canceled");
});

it("is refused with the places of what is wrong, whoever finds it", async () => {
  const shop = await engine();
  const nodes = { ...journey.nodes, thanks: { type: "webhook", confg: {}, next: "end" } };
  const wrong = await shop.must(422, "POST", "/v1/definitions", { body: { ...journey, nodes } });
  expect(wrong.errors).toMatchObject([
    { pointer: "/nodes/thanks/confg", hint: naming("config") },
    { pointer: "/nodes/thanks/next", code: "unknown_node" },
    { pointer: "/nodes/thanks/config/url", code: "required" },
  ]);
  const bare = {
    ...journey,
    defaults: {},
    nodes: { ...journey.nodes, remind: { type: "webhook", config: { ulr: "x" } } },
  };
  const checked = await shop.must(200, "POST", "/v1/definitions/validate", { body: bare });
  expect(checked.findings.map(({ pointer }: Parsed) => pointer)).toEqual([
    "/nodes/remind/config/url",
    "/nodes/remind/config/ulr",
  ]);
  const under = { ...journey, defaults: { webhook: { config: { methd: "POST" } } } };
  const both = await shop.must(200, "POST", "/v1/definitions/validate", { body: under });
  expect(new Set(both.findings.map(({ pointer }: Parsed) => pointer))).toEqual(
    new Set(["/defaults/webhook/config/methd"]),
  );
});
