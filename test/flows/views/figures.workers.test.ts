// Totals agree: after a load with failures, retries, redrives and repeated projections, the metrics, the statistics, the
// lists, the dead letters and the provider's own count of calls are equal.
import { expect, test } from "vitest";
import { chain, engine, PROVIDER, provider, until, type Engine } from "../engine.ts";

const FAST = { backoffStrategy: "fixed", baseDelay: 20, jitter: "none" };
const STARTED = { good: 4, flaky: 3, bad: 3 } as const;

/** good: always succeeds. flaky: succeeds at the third attempt. bad: fails until `isMended`. */
async function load() {
  const world = { isMended: false };
  const { calls } = provider(({ url, attempt }) => {
    if (url.pathname === "/flaky" && attempt < 3) return new Response("busy", { status: 503 });
    if (url.pathname === "/bad" && !world.isMended) return new Response("no", { status: 400 });
    return Response.json({});
  });
  const shop = await engine(
    chain("good", ["reserve", "charge"], { placement: "pooled" }),
    chain("flaky", ["flaky"], {}, { retryPolicy: { maxAttempts: 4, ...FAST } }),
    chain("bad", ["bad"], { placement: "pooled" }, { retryPolicy: { maxAttempts: 2, ...FAST } }),
  );
  const ids: string[] = [];
  for (const [definition, count] of Object.entries(STARTED))
    for (let n = 0; n < count; n++) ids.push(await shop.start(definition));
  return { world, shop, ids, calls: () => calls.filter(({ url }) => url.href.startsWith(PROVIDER)).length };
}

const deadLetters = async (shop: Engine): Promise<{ readonly id: string }[]> =>
  (await shop.must(200, "GET", "/v1/dead-letters?limit=100")).data;

test("metrics, statistics, lists, dead letters and the provider's count are equal", async () => {
  const { world, shop, ids, calls } = await load();
  const letters = await until("dead letters", async () => {
    const found = await deadLetters(shop);
    return found.length === STARTED.bad ? found : null;
  });
  const [again, mended] = letters.map(({ id }) => id);
  await shop.must(200, "POST", `/v1/dead-letters/${again}/retry`, { body: {} });
  await until("it failed again", async () => (calls() === 8 + 9 + STARTED.bad + 1 ? true : null));
  await until("listed again", async () => ((await deadLetters(shop)).length === STARTED.bad ? true : null));
  world.isMended = true;
  await shop.must(200, "POST", `/v1/dead-letters/${mended}/retry`, { body: {} });

  const completed = STARTED.good + STARTED.flaky + 1;
  await until("lists know the end", async () => {
    const { data } = await shop.must(200, "GET", "/v1/executions?status=completed&limit=100");
    return data.length === completed && (await deadLetters(shop)).length === STARTED.bad - 1 ? true : null;
  });
  // Every row is sent again. The last execution is projected after them.
  for (const id of ids) await shop.cell(id).reproject([id]);
  ids.push(await shop.start("good"));
  await until("lists know the last one", async () => {
    const { data } = await shop.must(200, "GET", "/v1/executions?status=completed&limit=100");
    return data.length === completed + 1 ? true : null;
  });

  const runs = (await Promise.all(ids.map((id) => shop.runs(id)))).flat();
  const withStatus = (status: string) => runs.filter((run) => run.status === status).length;
  const attempts = runs.reduce((sum, run) => sum + run.attempts.length, 0);
  expect(attempts).toBe(calls());

  const { data } = await shop.must(200, "GET", "/v1/metrics/query");
  const [{ figures, executions }] = data;
  expect(figures).toMatchObject({
    attempts: calls(),
    outcomes: { ok: withStatus("ok"), failed: withStatus("failed") + 2, refused: 0 },
    redriven: 2,
    deadLetters: (await deadLetters(shop)).length + 2,
    retried: STARTED.flaky + 2,
  });
  expect(executions).toMatchObject({ started: ids.length, completed: completed + 1, failed: 0 });
  expect(figures.errors.reduce((sum: number, each: { failures: number }) => sum + each.failures, 0)).toBe(
    figures.outcomes.failed,
  );

  const groups = (await shop.must(200, "GET", "/v1/metrics/query?groupBy=definition,action")).data;
  const sum = (field: string) =>
    groups.reduce(
      (total: number, group: { figures: { [name: string]: number } }) => total + Number(group.figures[field]),
      0,
    );
  expect([sum("totalExecutions"), sum("attempts")]).toEqual([figures.totalExecutions, calls()]);

  const [today] = (await shop.must(200, "GET", "/v1/metrics/days?days=1")).data;
  const { successRate, errorRate, totalExecutions: total, outcomes } = figures;
  expect(today).toMatchObject({ total, successful: outcomes.ok, failed: outcomes.failed, successRate, errorRate });
  const monitor = (await shop.must(200, "GET", "/api/execution/metrics?days=1")).data;
  expect(monitor.today).toMatchObject({ totalExecutions: total, successRate });
  expect(monitor.errors).toMatchObject([{ moduleType: "webhook", errorCount: outcomes.failed }]);
  const [type] = (await shop.must(200, "GET", "/v1/metrics/types?days=1")).data;
  expect(type).toMatchObject({ type: "webhook", runs: total, attempts: calls(), successful: outcomes.ok });
  const statistics = await shop.must(200, "GET", "/api/worker/statistics");
  expect(statistics.byStatus).toMatchObject({ ok: withStatus("ok"), failed: withStatus("failed"), retry: 0 });
});
