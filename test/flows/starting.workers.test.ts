// Starting: many at once, the same one twice, under a key or an id of the caller's own.
import { describe, expect, it } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { Parsed } from "#test/support/api.ts";
import { chain, engine, provider, until } from "./engine.ts";

it("a hundred start in one request and all complete, in both placements", async () => {
  const { calls } = provider();
  const shop = await engine(chain("own", ["notify"]), chain("pooled", ["notify"], { placement: "pooled" }));
  const executions = Array.from({ length: 100 }, (_, n) => ({
    definition: n % 2 === 0 ? "own" : "pooled",
    correlationId: `c${n}`,
  }));
  const answer = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
  expect(answer).toMatchObject({ started: 100, repeated: 0, refused: 0 });
  const listed = await until("all are listed as completed", async () => {
    const { data } = await shop.must(200, "GET", "/v1/executions?status=completed&limit=200");
    return data.length === 100 ? data : null;
  });
  expect(new Set(listed.map(({ id }: Parsed) => id))).toEqual(new Set(answer.results.map(({ id }: Parsed) => id)));
  expect(new Set(calls.map(({ key }) => key)).size).toBe(100);
  expect(calls.length).toBe(100);
});

it("a batch sent again under its key starts nothing twice; one bad request leaves the others alone", async () => {
  provider();
  const shop = await engine(chain("own", ["notify"]));
  const body = { executions: [{ definition: "own" }, { definition: "nowhere" }, { definition: "own" }] };
  const send = () =>
    shop.must(200, "POST", "/v1/executions/batch", { body, headers: { "Idempotency-Key": "import-7" } });
  const first = await send();
  expect(first).toMatchObject({ started: 2, refused: 1 });
  expect(first.results[1].problem.code).toBe("not_found");
  const again = await send();
  expect(again).toMatchObject({ started: 0, repeated: 2, refused: 1 });
  expect(again.results.map(({ id }: Parsed) => id)).toEqual(first.results.map(({ id }: Parsed) => id));
  for (const n of [0, 2]) await shop.reaches(first.results[n].id, "completed");
});

describe.each(["own", "pooled"])("%s, under a key", (placement) => {
  it("concurrent starts are one execution; another body under that key is refused", async () => {
    const { calls } = provider();
    const shop = await engine(chain("keyed", ["notify"], { placement }));
    const start = (variables: object) =>
      shop.ask("POST", "/v1/executions", {
        body: { definition: "keyed", variables },
        headers: { "Idempotency-Key": "o-17" },
      });
    const answers = await Promise.all(Array.from({ length: 10 }, () => start({ total: 3 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    const ids = new Set(answers.map(({ body }) => body.execution.id));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    await shop.reaches(id, "completed");
    expect(calls.length).toBe(1);
    const other = await start({ total: 4 });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_conflict"]);
    await evict(shop.stub(id));
    const later = await start({ total: 3 });
    expect([later.status, later.body.repeated, later.body.execution.id]).toEqual([200, true, id]);
    expect(calls.length).toBe(1);
  });
});

describe.each([
  ["own", "pooled"],
  ["pooled", "own"],
])("a definition that was %s and is %s now", (before, after) => {
  const body = { definition: "moving", variables: { total: 3 } };
  const headers = { "Idempotency-Key": "o-17" };

  it("finds a start under a key again, and starts others with keys where the first version says", async () => {
    const { calls } = provider();
    const shop = await engine(chain("moving", ["notify"], { placement: before }));
    const first = await shop.must(201, "POST", "/v1/executions", { body, headers });
    await shop.reaches(first.execution.id, "completed");
    const changed = chain("moving", ["notify"], { placement: after });
    const { warnings } = await shop.must(200, "POST", "/v1/definitions/validate", { body: changed });
    expect(warnings).toContainEqual(expect.objectContaining({ pointer: "/placement", code: "placement_of_the_name" }));
    await shop.must(201, "POST", "/v1/definitions", { body: changed });
    const again = await shop.must(200, "POST", "/v1/executions", { body, headers });
    expect([again.repeated, again.execution.id]).toEqual([true, first.execution.id]);
    const other = await shop.ask("POST", "/v1/executions", { body: { ...body, variables: { total: 4 } }, headers });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_conflict"]);
    const keyed = await shop.must(201, "POST", "/v1/executions", { body, headers: { "Idempotency-Key": "o-18" } });
    const plain = await shop.must(201, "POST", "/v1/executions", { body });
    expect([keyed.execution, plain.execution]).toMatchObject([
      { placement: before, definition: { version: 2 } },
      { placement: after, definition: { version: 2 } },
    ]);
    for (const { execution } of [keyed, plain]) await shop.reaches(execution.id, "completed");
    expect(calls.length).toBe(3);
  });
});

it("an id of the caller's own is taken once", async () => {
  provider();
  const shop = await engine(chain("own", ["notify"]), chain("pooled", ["notify"], { placement: "pooled" }));
  const body = { definition: "own", id: "exe_order-17" };
  expect((await shop.must(201, "POST", "/v1/executions", { body })).execution.id).toBe("exe_order-17");
  expect((await shop.must(409, "POST", "/v1/executions", { body })).code).toBe("already_exists");
  const pooled = await shop.must(400, "POST", "/v1/executions", { body: { ...body, definition: "pooled" } });
  expect(pooled.errors).toMatchObject([{ pointer: "/id", code: "not_allowed" }]);
  await shop.reaches("exe_order-17", "completed");
});

it("a new version is for new executions; those under way keep theirs", async () => {
  provider();
  const waits = (target: string) => ({
    kind: "machine",
    name: "form",
    initial: "open",
    states: { open: { on: { sent: target } }, first: { type: "final" }, second: { type: "final" } },
  });
  const shop = await engine(waits("first"));
  const older = await shop.start("form");
  await shop.must(201, "POST", "/v1/definitions", { body: waits("second") });
  const newer = await shop.start("form");
  for (const id of [older, newer])
    await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "sent" } });
  expect([(await shop.read(older)).states, (await shop.read(newer)).states]).toEqual([["first"], ["second"]]);
});
