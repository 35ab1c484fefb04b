// Enrolling a list through the real Worker: each line once, bad ones by themselves, and nothing twice however often it is asked.
import { expect, test } from "vitest";
import { engine, PROVIDER, provider, until, type Engine } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

const journey = {
  kind: "journey",
  name: "wedding",
  initial: "mail",
  reentry: "once",
  subject: { var: "execution.variables.coupleId" },
  input: { type: "object", properties: { coupleId: { type: "string" } }, required: ["coupleId"] },
  nodes: { mail: { type: "webhook", config: { url: PROVIDER } } },
};
const line = (n: number) => ({ variables: { coupleId: `couple-${n}` }, correlationId: `c-${n}` });

async function opened(here: Engine, key = "k-1"): Promise<string> {
  const path = "/v1/definitions/wedding/enrolments";
  const { operation } = await here.must(201, "POST", path, {
    body: { perSecond: 500 },
    headers: { "Idempotency-Key": key },
  });
  expect(operation).toMatchObject({ verb: "enroll", status: "open", filter: { definition: "wedding@1" } });
  return operation.id;
}
const append = (here: Engine, id: string, part: number, lines: readonly unknown[]) =>
  here.must(200, "PUT", `/v1/operations/${id}/parts/${part}`, { body: { lines } });
const ended = (here: Engine, id: string) =>
  until("the list is through", async () => {
    const found = await here.must(200, "GET", `/v1/operations/${id}`);
    return found.status === "done" || found.status === "aborted" ? found : null;
  });

test("every line is enrolled once, and what is wrong with one is said of that one", async () => {
  const sent = provider();
  const here = await engine(journey);
  await here.reaches(await here.start("wedding", { variables: { coupleId: "couple-3" } }), "completed");
  const id = await opened(here);
  expect(await append(here, id, 2, [line(3), line(4), { variables: {} }])).toMatchObject({ parts: 1, lines: 3 });
  await append(here, id, 1, [line(1), { nonsense: true }, line(2), 7, line(1)]);
  expect(await append(here, id, 2, [line(3), line(4), { variables: {} }])).toMatchObject({ repeated: true, lines: 8 });
  const preview = await here.must(200, "POST", `/v1/operations/${id}/start?dryRun=true`);
  expect(preview).toMatchObject({ lines: 8, sampled: 8, refused: { invalid_input: 3, already_enrolled: 1 } });
  expect(preview.items[0]).toEqual({ part: 1, line: 1, code: null, message: null, subject: "couple-1" });
  expect(sent.calls).toHaveLength(1);
  await here.must(202, "POST", `/v1/operations/${id}/start`);
  expect((await here.must(202, "POST", `/v1/operations/${id}/start`)).repeated).toBe(true);
  const { progress, status } = await ended(here, id);
  expect([status, progress]).toEqual([
    "done",
    { matched: 8, released: 3, gone: 0, remaining: 0, skipped: { already_enrolled: 2 }, refused: { invalid_input: 3 } },
  ]);
  const { data, nextCursor } = await here.must(200, "GET", `/v1/operations/${id}/troubles?limit=3`);
  const rest = await here.must(200, "GET", `/v1/operations/${id}/troubles?limit=3&cursor=${nextCursor}`);
  const told = [...data, ...rest.data].map((each) => `${each.part}.${each.line} ${each.code}`);
  expect(told).toEqual([
    "1.2 invalid_input",
    "1.4 invalid_input",
    "1.5 already_enrolled",
    "2.1 already_enrolled",
    "2.3 invalid_input",
  ]);
  await until("all three have heard from us", () => (sent.calls.length === 4 ? true : null));
  const { data: listed } = await here.must(200, "GET", `/v1/operations?verb=enroll`);
  expect(listed).toMatchObject([{ id, status: "done" }]);
});

test("the same key is the same list; a version that comes later is not the one that is enrolled in", async () => {
  provider();
  const here = await engine(journey);
  const id = await opened(here);
  const again = await here.must(200, "POST", "/v1/definitions/wedding/enrolments", {
    body: { perSecond: 500 },
    headers: { "Idempotency-Key": "k-1" },
  });
  expect([again.repeated, again.operation.id]).toEqual([true, id]);
  await append(here, id, 1, [line(1)]);
  await here.must(201, "POST", "/v1/definitions", { body: { ...journey, reentry: "always" } });
  await here.must(202, "POST", `/v1/operations/${id}/start`);
  await ended(here, id);
  const { data } = await until("lists have it", async () => {
    const found = await here.must(200, "GET", "/v1/executions?subject=couple-1");
    return found.data.length > 0 ? found : null;
  });
  expect(data[0].definition.version).toBe(1);
});

test("an aborted list begins nothing more, and one that is empty is not started", async () => {
  provider();
  const here = await engine(journey);
  const id = await opened(here);
  expect((await here.ask("POST", `/v1/operations/${id}/start`)).body.code).toBe("invalid_input");
  await append(here, id, 1, [line(1)]);
  await here.must(200, "POST", `/v1/operations/${id}/abort`, { body: { reason: "the wrong list" } });
  expect((await here.ask("POST", `/v1/operations/${id}/start`)).body.code).toBe("operation_final");
  const late = await here.ask("PUT", `/v1/operations/${id}/parts/2`, { body: { lines: [line(2)] } });
  expect([late.status, late.body.code]).toEqual([409, "operation_started"]);
  expect((await ended(here, id)).progress).toMatchObject({ released: 0, remaining: 1 });
});

test("a definition that is about nobody has no list, and other tenants see none", async () => {
  const lone = { kind: "machine", name: "lone", initial: "a", states: { a: {} } };
  const [here, there] = [await engine(journey, lone), await engine(journey)];
  const { body } = await here.ask("POST", "/v1/definitions/lone/enrolments", { body: {} });
  expect([body.code, body.hint]).toEqual(["invalid_input", naming("subject", "/v1/executions/batch")]);
  const id = await opened(here);
  for (const [method, path] of [
    ["PUT", "parts/1"],
    ["POST", "start"],
    ["POST", "start?dryRun=true"],
    ["GET", "troubles"],
  ] as const) {
    const asked = method === "PUT" ? { body: { lines: [line(1)] } } : {};
    expect((await there.ask(method, `/v1/operations/${id}/${path}`, asked)).status).toBe(404);
  }
});
