// Erased through the whole Worker: object, lists and tasks let go, and the same id begins another life that nothing of the
// first one reaches into.
import { describe, expect, test } from "vitest";
import { engine, hook, provider, until, type Engine } from "../engine.ts";

const definition = (placement: string) => ({
  kind: "machine",
  name: placement,
  placement,
  initial: "asking",
  states: { asking: { on: { "action.ask.ok": "done", "action.ask.failed": "done" } }, done: { type: "final" } },
  actions: [hook("ask", { triggerState: "asking", retryPolicy: { maxAttempts: 1 } })],
});

async function listed(shop: Engine, count: number, path: string) {
  return until(`${count} of ${path}`, async () => {
    const { data } = await shop.must(200, "GET", path);
    return data.length === count ? data : null;
  });
}

describe.each([
  ["own", { id: "exe_ada" }, {}],
  ["pooled", {}, { "Idempotency-Key": "ada" }],
] as const)("%s", (placement, named, headers) => {
  test("is gone at once, twice is once, and the same start is another life", async () => {
    let isDown = true;
    const { calls } = provider(() => (isDown ? new Response("", { status: 400 }) : Response.json({})));
    const shop = await engine(definition(placement));
    const body = { definition: placement, correlationId: "ada@example.com", ...named };
    const begin = () => shop.must(201, "POST", "/v1/executions", { body, headers });
    const { execution: first } = await begin();
    await shop.reaches(first.id, "completed");
    await listed(shop, 1, "/v1/dead-letters");
    await listed(shop, 1, "/v1/executions");

    const path = `/v1/executions/${first.id}`;
    const erased = await shop.must(200, "DELETE", path);
    expect(erased).toEqual({ id: first.id, deadLetters: 0, dryRun: false });
    expect(await shop.must(200, "DELETE", path)).toEqual({ id: first.id, deadLetters: null, dryRun: false });
    for (const part of ["", "/journal", "/runs"]) await shop.must(404, "GET", path + part);
    await shop.must(404, "POST", `/v1/dead-letters/dl_${first.id.slice(4)}.1.0/retry`, { body: { force: true } });
    await listed(shop, 0, "/v1/dead-letters");
    await listed(shop, 0, "/v1/executions");

    isDown = false;
    const { execution: second, repeated } = await begin();
    expect([second.id, repeated]).toEqual([first.id, false]);
    expect(Date.parse(second.createdAt)).toBeGreaterThan(Date.parse(first.createdAt));
    await shop.reaches(second.id, "completed");
    expect((await shop.runs(second.id)).map(({ status }) => status)).toEqual(["ok"]);
    expect((await shop.journal(second.id)).filter(({ kind }) => kind === "started")).toHaveLength(1);
    const [shown] = await listed(shop, 1, "/v1/executions?status=completed");
    expect(shown).toMatchObject({ id: second.id, createdAt: second.createdAt, correlationId: "ada@example.com" });
    await listed(shop, 0, "/v1/dead-letters");
    const audit = await listed(shop, 1, `/v1/audit?target=${first.id}&verb=execution.erase`);
    expect(audit).toMatchObject([{ actor: expect.stringMatching(/^key:/) }]);
    expect(calls).toHaveLength(2);
  });
});
