// The fields that a response contains with `?fields`.
import { expect, test } from "vitest";
import { createClient } from "#client/client.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { api, must, shop } from "#test/support/api.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

async function running() {
  const made = api();
  const { key } = await shop(made);
  const { body } = await must(
    201,
    made.ask("POST", "/v1/executions?fields=id,status", {
      key,
      body: { definition: "order@1", variables: { total: 42 } },
    }),
  );
  const id: string = body.execution.id;
  const ask = (method: string, path: string, sent?: unknown) =>
    made.ask(method, `/v1/executions/${id}${path}`, { key, ...(sent === undefined ? {} : { body: sent }) });
  return { made, key, id, ask, started: body };
}

test("a start returns the requested fields, and all fields of the start itself", async () => {
  const { started, id } = await running();
  expect(started).toMatchObject({ seq: 1, repeated: false, dryRun: false });
  expect(started.execution).toEqual({ id, status: "waiting" });
});

test("an event's response has variables only on request; a read has all fields", async () => {
  const { ask } = await running();
  const { body: whole } = await must(200, ask("GET", ""));
  expect(whole.variables).toEqual({ total: 42 });
  const { body } = await must(200, ask("POST", "/events", { id: "e-1", type: "paid" }));
  const { variables: _variables, ...others } = whole;
  expect(Object.keys(body.execution)).toEqual(Object.keys(others));
  const again = await must(200, ask("POST", "/events?fields=seq,variables", { id: "e-1", type: "paid" }));
  expect(again.body).toMatchObject({ repeated: true });
  expect(Object.keys(again.body.execution)).toEqual(["variables", "seq"]);
});

test("fields that are not requested cause no lookup: only `waitingFor` needs the definition", async () => {
  const { made, ask } = await running();
  const asked: string[] = [];
  const { $client } = made.world.db;
  const prepare = $client.prepare.bind($client);
  $client.prepare = (sql: string) => (asked.push(sql), prepare(sql));
  const definitionsAsked = () => asked.filter((sql) => sql.includes("definitions")).length;
  made.world.clock.now += isolateCaches.pinnedDefinitions.freshMs;
  const read = await must(200, ask("GET", "?fields=status,states"));
  expect(read.body).toEqual({ status: "waiting", states: ["open"] });
  expect(definitionsAsked()).toBe(0);
  await must(200, ask("GET", "?fields=waitingFor"));
  expect(definitionsAsked()).toBe(1);
});

test("an unknown field is refused with the list of fields", async () => {
  const { ask } = await running();
  for (const [path, wrong] of [
    ["?fields=id,varables", "varables"],
    ["?fields=", '""'],
  ] as const) {
    const { body } = await must(400, ask("GET", path));
    expect(body).toMatchObject({ code: "invalid_input", errors: [{ pointer: "?fields" }] });
    expect(body.detail).toMatch(namingPattern(wrong, "id", "namespace", "definition", "variables"));
  }
  await must(400, ask("POST", "/events?fields=nothing", { type: "paid" }));
  await must(400, ask("POST", "/pause?fields=id", {}));
  expect((await must(200, ask("GET", "?fields=states"))).body).toEqual({ states: ["open"] });
});

test("the client's result type has the requested fields", async () => {
  const { made, key, id } = await running();
  const client = createClient({ baseUrl: "https://engine.example", key, fetch: made.fetch });
  const read = await client.executions.get(id, { fields: ["status", "variables"] });
  expect(read).toEqual({ status: "waiting", variables: { total: 42 } });
  const { execution } = await client.executions.send(id, { type: "paid" }, { fields: ["states"] });
  expect(execution).toEqual({ states: ["paid"] });
  const another = await client.executions.start({ definition: "order" }, { fields: ["id"] });
  expect(Object.keys(another.execution)).toEqual(["id"]);
});
