// The metrics query over HTTP: groups, series, comparison, and refusals.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { foldPastHours } from "#services/monitor/daily-figures.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { executionRow, NOW, projection, runRow } from "#test/support/catalog.ts";

const HOUR = 3_600_000;

async function counted() {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  const query = (text: string) => made.ask("GET", `/v1/metrics/query${text}`, { key });
  const run = (id: string, over: object) =>
    runRow({ tenant, id, version: 1, finishedAt: NOW, tried: [{ ms: 64 }], delayMs: 4, costEstimate: 0.01, ...over });
  const failed = {
    status: "failed",
    errorType: "timeout",
    tried: [
      { ms: 64, error: "timeout" },
      { ms: 64, error: "timeout" },
    ],
  };
  const runs = [
    run("1.1", {}),
    run("2.1", {
      type: "email",
      action: "mail",
      uses: "smtp",
      tried: [{ ms: 256, error: "rate_limit", code: "429" }, { ms: 64 }],
    }),
    run("3.1", failed),
    run("4.1", { status: "failed", errorType: "invalid_configuration", tried: [], delayMs: null, costEstimate: null }),
    run("5.1", { definition: "refund", version: 3, finishedAt: NOW - HOUR }),
    run("6.1", { finishedAt: NOW - 30 * HOUR }),
  ];
  const executions = [
    executionRow({ tenant, createdAt: NOW }),
    executionRow({ tenant, createdAt: NOW, id: "exe_2", status: "failed" }),
  ];
  await applyProjections(made.world.db, [projection({ runs, executions })]);
  return { made, query };
}

test("the figures of all definitions have the names of the specification, and add up", async () => {
  const { query } = await counted();
  const { body } = await must(200, query(""));
  expect(body).toMatchObject({
    from: "2026-11-17T12:00:00.000Z",
    to: "2026-11-18T13:00:00.000Z",
    step: "none",
    groupBy: [],
    other: null,
    newestAt: "2026-11-18T12:00:00.000Z",
  });
  expect(body.data).toMatchObject([
    {
      group: {},
      figures: {
        totalExecutions: 5,
        outcomes: { ok: 3, failed: 1, refused: 1, canceled: 0, skipped: 0, expired: 0 },
        successRate: 0.75,
        errorRate: 0.25,
        attempts: 6,
        timeouts: 2,
        timeoutRate: 0.3333,
        retried: 2,
        retryRate: 0.5,
        averageRetries: 0.5,
        maxLatency: 256,
        startDelay: { count: 4, average: 4, max: 4 },
        totalCost: 0.04,
        costPerExecution: 0.008,
        deadLetters: 2,
        redriven: 0,
        errorTypes: { timeout: 2, rate_limit: 1 },
      },
      executions: { started: 2, completed: 1, failed: 1, canceled: 0 },
      previous: null,
      points: [],
    },
  ]);
});

test("groups, filters and folded hours give the same figures", async () => {
  const { made, query } = await counted();
  const range = "to=2026-11-18T12:30:00Z";
  const answers = async () => {
    const bodies = [];
    for (const text of [
      `?${range}&groupBy=definition,version`,
      `?${range}&groupBy=type,action,connection&definition=order`,
      `?${range}&groupBy=outcome`,
      `?${range}&type=email`,
      `?${range}&groupBy=definition&limit=1`,
    ])
      bodies.push((await must(200, query(text))).body);
    return bodies.map(({ data, other }) => [
      data.map(({ group, figures }: { group: object; figures: { totalExecutions: number } }) => [
        group,
        figures.totalExecutions,
      ]),
      other?.figures.totalExecutions ?? null,
    ]);
  };
  const expected = [
    [
      [
        [{ definition: "order", version: 1 }, 4],
        [{ definition: "refund", version: 3 }, 1],
      ],
      null,
    ],
    [
      [
        [{ type: "webhook", action: "notify", connection: null }, 3],
        [{ type: "email", action: "mail", connection: "smtp" }, 1],
      ],
      null,
    ],
    [
      [
        [{ outcome: "ok" }, 3],
        [{ outcome: "failed" }, 1],
        [{ outcome: "refused" }, 1],
      ],
      null,
    ],
    [[[{}, 1]], null],
    [[[{ definition: "order" }, 4]], 1],
  ];
  expect(await answers()).toEqual(expected);
  made.world.clock.now = NOW + HOUR;
  await foldPastHours(made.world);
  expect(await answers()).toEqual(expected);
});

test("a series has a point per hour or day, and is compared with the range before", async () => {
  const { query } = await counted();
  const { body } = await must(200, query("?from=2026-11-18T11:00:00Z&to=2026-11-18T13:00:00Z&step=hour"));
  expect(body.data[0].points).toMatchObject([
    { at: "2026-11-18T11:00:00.000Z", figures: { totalExecutions: 1 } },
    { at: "2026-11-18T12:00:00.000Z", figures: { totalExecutions: 4 } },
  ]);
  const { body: days } = await must(200, query("?from=2026-11-18T00:00:00Z&step=day&compare=previous"));
  expect(days.data).toMatchObject([
    { figures: { totalExecutions: 5 }, previous: { totalExecutions: 1 }, points: [{ at: "2026-11-18T00:00:00.000Z" }] },
  ]);
});

test.each([
  ["?from=2026-11-19T00:00:00Z&to=2026-11-18T00:00:00Z", "?from", "invalid"],
  ["?from=2026-10-01T00:00:00Z&step=hour", "?from", "invalid"],
  ["?groupBy=color", "?groupBy", undefined],
  ["?step=minute", "?step", undefined],
  ["?colour=red", "?colour", undefined],
  ["?limit=0", "?limit", undefined],
])("%s is refused at %s", async (text, pointer, code) => {
  const { query } = await counted();
  const { body } = await must(400, query(text));
  expect(body).toMatchObject({ code: "invalid_input", errors: [{ pointer, ...(code === undefined ? {} : { code }) }] });
});
