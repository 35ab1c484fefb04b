// Actions over connections, through the whole Worker: limits hold, and held work is not failed work.
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { connect, crm, startMany } from "./crm.ts";
import { bindings, engine, provider, until } from "./engine.ts";

test("20 runs over a connection of five a second take four seconds, spend no attempts, and say what they wait for", async () => {
  const asked: { readonly key: string; readonly at: number }[] = [];
  provider(({ key }) => {
    asked.push({ key, at: performance.now() });
    return Response.json({});
  });
  const shop = await engine(crm("paced"));
  await connect(shop, { rateLimit: { perSecond: 5 } });
  const ids = await startMany(shop, "paced", 20);
  const waiting = await until("a held run", async () => {
    for (const id of ids) {
      const [run] = await shop.runs(id);
      if (run.held) return run;
    }
    return null;
  });
  expect(waiting).toMatchObject({
    status: "scheduled",
    attempt: 0,
    error: null,
    held: { reason: "rate_limited", connection: "crm" },
  });
  for (const id of ids) await shop.reaches(id, "completed");
  // Every flow's provider is asked through one fetch: what another file left behind is not counted here.
  const mine = asked.filter(({ key }) => ids.some((id) => key.startsWith(`${id}/`)));
  const at = mine.map((each) => each.at);
  expect(mine.map(({ key }) => key).toSorted()).toEqual(ids.map((id) => `${id}/1.0`).toSorted());
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(3_700);
  // The gate lets five through in any second; between it and the provider lie some milliseconds either way.
  for (const [n, from] of at.entries()) expect((at[n + 6] ?? Infinity) - from).toBeGreaterThan(1_000);
  const histories = await Promise.all(ids.map((id) => shop.journal(id)));
  const held = histories.flat().filter(({ kind }) => kind === "run_held");
  expect(held.length).toBeGreaterThanOrEqual(15);
  expect(held.length).toBeLessThanOrEqual(40);
  expect(held[0]).toMatchObject({
    attempt: 1,
    reason: "rate_limited",
    until: expect.stringMatching(/Z$/),
    connection: "crm",
  });
  for (const id of ids)
    expect((await shop.runs(id))[0]).toMatchObject({
      status: "ok",
      attempt: 1,
      held: null,
      attempts: [{ attempt: 1 }],
    });
});

test("a connection of two at once has two under way, in either lane", async () => {
  let [now, most] = [0, 0];
  provider(async () => {
    most = Math.max(most, (now += 1));
    await scheduler.wait(100);
    now -= 1;
    return Response.json({});
  });
  const shop = await engine(crm("direct"), crm("queued", { lane: "queue" }));
  await connect(shop, { concurrency: 2 });
  const ids = (await Promise.all([startMany(shop, "direct", 4), startMany(shop, "queued", 4)])).flat();
  for (const id of ids) await shop.reaches(id, "completed");
  expect(most).toBe(2);
  expect((await shop.must(200, "GET", "/v1/connections/crm")).state.inUse).toBe(0);
});

test("a breaker opens after failures, holds what comes, outlives its object's sleep, and recovers with one probe", async () => {
  let [isDown, probing, probes] = [true, false, 0];
  provider(async () => {
    if (isDown) return new Response("down", { status: 503 });
    if (probing) {
      probes += 1;
      await scheduler.wait(200);
      probing = false;
    }
    return Response.json({});
  });
  const shop = await engine(crm("broken"));
  // Long enough for five starts on a busy machine: one that came after it would be the probe, while the provider is down.
  const breaker = { minimumCalls: 3, failureRatio: 0.5, windowMs: 10_000, openMs: 5_000 };
  const connection = await connect(shop, { breaker });
  for (const id of await startMany(shop, "broken", 3)) await shop.reaches(id, "failed");
  const state = async () => (await shop.must(200, "GET", "/v1/connections/crm")).state.breaker;
  expect(await state()).toMatchObject({ status: "open", until: expect.stringMatching(/Z$/) });
  await evict(bindings.CONNECTIONS.getByName(`${shop.tenant}/${connection}`));
  expect((await state()).status).toBe("open");
  const ids = await startMany(shop, "broken", 5);
  await until("all of them held", async () => {
    const runs = await Promise.all(ids.map(async (id) => (await shop.runs(id))[0]));
    return runs.every((run) => run.held?.reason === "circuit_open") ? runs : null;
  });
  [isDown, probing] = [false, true];
  for (const id of ids) await shop.reaches(id, "completed");
  expect(probes).toBe(1);
  expect((await state()).status).toBe("closed");
  for (const id of ids) expect((await shop.runs(id))[0]).toMatchObject({ attempt: 1 });
});

test("a connection that is missing, of another provider, or one of several says what to do", async () => {
  provider();
  const slack = { actionId: "ask", type: "slack", config: { channel: "#ops", text: "hello" } };
  const shop = await engine(crm("missing"), crm("chat", slack));
  const failing = async (definition: string) => {
    const id = await shop.start(definition);
    await shop.reaches(id, "failed");
    return (await shop.runs(id))[0].error;
  };
  expect(await failing("missing")).toMatchObject({
    type: "invalid_configuration",
    code: "connection_missing",
    message: expect.stringContaining("POST /v1/connections"),
  });
  expect(await failing("chat")).toMatchObject({
    code: "connection_missing",
    message: expect.stringContaining('"provider":"slack"'),
  });
  for (const name of ["chat-a", "chat-b"])
    await shop.must(201, "POST", "/v1/connections", {
      body: { name, provider: "slack", credentials: { token: "none" } },
    });
  expect(await failing("chat")).toMatchObject({
    code: "connection_ambiguous",
    message: expect.stringContaining("chat-a, chat-b"),
  });
  await shop.must(200, "DELETE", "/v1/connections/chat-b");
  expect(await failing("chat")).toMatchObject({
    type: "invalid_configuration",
    code: "secret_missing",
    details: { missing: ["none"] },
  });
});

test.each([
  ["slots", { concurrency: 10 }, 429],
  ["a rate only", { rateLimit: { perSecond: 100, burst: 100 } }, 429],
  ["no limit at all", {}, 503],
])(
  "a provider that asks for quiet gets it from all runs of a connection with %s",
  async (_what, limits, status) => {
    let refusals = 0;
    const { calls } = provider(() =>
      refusals++ === 0 ? new Response(null, { status, headers: { "Retry-After": "3" } }) : Response.json({}),
    );
    const shop = await engine(
      crm("quiet", { retryPolicy: { maxAttempts: 2, baseDelay: 10, backoffStrategy: "fixed" } }),
    );
    await connect(shop, limits);
    const first = await shop.start("quiet");
    await until("the refusal", () => (calls.length > 0 ? true : null));
    await until("the retry", async () => ((await shop.runs(first))[0].status === "retry" ? true : null));
    const others = await startMany(shop, "quiet", 4);
    const reasons = async () => Promise.all(others.map(async (id) => (await shop.runs(id))[0].held?.reason));
    await until("the holds", async () => ((await reasons()).every((reason) => reason === "retry_after") ? true : null));
    for (const id of [first, ...others]) await shop.reaches(id, "completed");
    for (const id of others) expect((await shop.runs(id))[0]).toMatchObject({ attempt: 1, attempts: [{ attempt: 1 }] });
  },
  20_000,
);
