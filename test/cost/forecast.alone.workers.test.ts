// The forecast's rows and dollars against the meter's. Own executions on the common lanes match exactly, so that no constant of
// src/schema/limits/planning/platform-costs.ts drifts unnoticed; everything else stays within the bound that docs/guides/forecast.md states.
import { describe, expect, it, vi } from "vitest";
import { CATALOG_BATCH_MS } from "#schema/limits/planning/platform-costs.ts";
import { billOf } from "#policy/forecast/platform.ts";
import { carriedOut } from "./carried-out.ts";
import { openMeter } from "./meter.ts";
import { costOf, type Cost } from "./prices.ts";
import { chain, engine, hook, PROVIDER, provider, until, type Engine } from "#test/flows/engine.ts";

vi.setConfig({ testTimeout: 120_000 });
const meter = await openMeter();

/** Of the dollars, and of the rows. */
const BOUND = 0.15;
/** What a busy machine adds is not forecast: alarms for slow steps, or another batch of the catalog's. */
const TRIES = 5;
const CROWD = 100;
const AT_ONCE = 20;

type Named = { readonly name: string; readonly [more: string]: unknown };
type Case = readonly [what: string, definition: Named, more: object];
const call = { type: "webhook", config: { url: PROVIDER } };
const failing = { ...call, config: { url: `${PROVIDER}/fail` } };
const journey = (name: string, nodes: object, more: object = {}) => ({
  kind: "journey",
  name,
  initial: Object.keys(nodes)[0],
  nodes,
  ...more,
});
const subject = { subject: { var: "execution.variables.customer" } };
const soon = { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 1_700, jitter: "none" };
const secondTry = { assume: { actions: { mail: [{ outcome: "failed" }, {}] } } };
const chainOf = (name: string, more: object = {}): Named => chain(name, ["a", "b", "c"], more) as Named; // its first argument
const done = { type: "final" };
const timed = {
  kind: "machine",
  name: "timed",
  initial: "asleep",
  states: { asleep: { after: { 2_500: "done" } }, done },
};
const pooled = { placement: "pooled" };

const exact: readonly Case[] = [
  ["three actions in the direct lane", chainOf("three"), {}],
  ["three actions in the queue lane", chainOf("queued", { lane: "queue" }), {}],
  ["a journey about a subject", journey("about", { mail: call }, subject), {}],
  [
    "a message under a cap",
    journey("capped", { mail: { ...call, cap: "few" } }, { ...subject, caps: { few: { max: 3, per: "P1D" } } }),
    {},
  ],
];
const near: readonly Case[] = [
  ["an action with a retry", journey("retried", { mail: { ...failing, retryPolicy: soon } }), secondTry],
  [
    "a subject's action with a retry",
    journey("again", { mail: { ...failing, retryPolicy: soon } }, subject),
    secondTry,
  ],
  [
    "a delay between two actions",
    journey("delayed", {
      mail: { ...call, next: "wait" },
      wait: { type: "delay", for: "PT1.7S", next: "more" },
      more: call,
    }),
    {},
  ],
  [
    "a handled failure",
    journey("dead", {
      mail: { ...failing, retryPolicy: { maxAttempts: 1 }, onFailed: "over" },
      over: { type: "exit" },
    }),
    { assume: { actions: { mail: { outcome: "failed" } } } },
  ],
  ["a machine with a timer", timed, {}],
  [
    "a reconciler that acts",
    {
      kind: "reconciler",
      name: "acting",
      tick: "PT1S",
      initial: "Starting",
      desired: {},
      states: {
        Starting: {
          rules: [
            { when: { var: "action.succeeded" }, target: "Up" },
            { when: true, emit: "begin" },
          ],
        },
        Up: done,
      },
      actions: [{ ...hook("begin"), triggerState: undefined }],
    },
    {},
  ],
];
const many: readonly Case[] = [
  ["three actions in the direct lane", chainOf("three", pooled), {}],
  ["three actions in the queue lane", chainOf("queued", { lane: "queue", ...pooled }), {}],
  ["a machine with a timer", { ...timed, ...pooled }, {}],
];

describe("own executions", () => {
  it.each(exact)("%s cost exactly what is forecast", async (_what, definition, more) => {
    const { forecast, measured } = await compared(definition, more, isSame);
    expect(measured).toEqual(forecast);
  });

  it.each(near)("%s cost what is forecast, within the bound", async (_what, definition, more) => {
    const { forecast, measured } = await compared(definition, more, isNear);
    expect(isNear(measured, forecast), JSON.stringify({ measured, forecast })).toBe(true);
  });
});

describe("executions of a pool", () => {
  it.each(many)("%s cost what is forecast, within the bound", async (_what, definition) => {
    const here = await opened(definition);
    const forecast = await forecastOf(here, definition, { count: CROWD });
    // The first ones make the cell's tables.
    await carriedOut(here, () => crowd(here, definition.name), CROWD);
    let measured = forecast;
    for (let round = 1; round <= TRIES; round++) {
      meter.reset();
      await carriedOut(here, () => crowd(here, definition.name), CROWD * (round + 1));
      measured = costOf(meter.bill, CROWD);
      if (isNear(measured, forecast)) break;
    }
    expect(isNear(measured, forecast), JSON.stringify({ measured, forecast })).toBe(true);
  });
});

async function opened(definition: Named): Promise<Engine> {
  provider(({ url, attempt }) =>
    url.pathname === "/fail" && attempt === 1 ? new Response("no", { status: 503 }) : Response.json({}),
  );
  return engine(definition);
}

/** Of each execution. */
async function forecastOf(here: Engine, { name }: Named, more: object): Promise<Cost> {
  const subjects = [{ variables: { customer: "c-1" } }];
  const { platform, executions } = await here.must(200, "POST", `/v1/definitions/${name}/forecast`, {
    body: { subjects, ...more },
  });
  const { dollars: _dollars, ...counts } = platform as Cost & { readonly dollars: number };
  return Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, count / executions.of])) as Cost;
}

async function compared(definition: Named, more: object, isEnough: (measured: Cost, forecast: Cost) => boolean) {
  const here = await opened(definition);
  const forecast = await forecastOf(here, definition, more);
  let measured = await spent(here, definition.name, "c-0");
  for (let n = 1; n <= TRIES && !isEnough(measured, forecast); n++) {
    measured = await spent(here, definition.name, `c-${n}`);
  }
  return { forecast, measured };
}

function isSame(a: Cost, b: Cost): boolean {
  return JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
}

function isNear(measured: Cost, forecast: Cost): boolean {
  const rowsOf = ({ objectRows, catalogRows }: Cost): number => objectRows + catalogRows;
  const off = (said: number, met: number): number => Math.abs(said / met - 1);
  const [said, met] = [billOf(forecast).dollars, billOf(measured).dollars];
  return off(said, met) <= BOUND && off(rowsOf(forecast), rowsOf(measured)) <= BOUND;
}

async function crowd(here: Engine, definition: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < CROWD; n += AT_ONCE)
    ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => here.start(definition)))));
  return ids;
}

async function spent(here: Engine, definition: string, customer: string): Promise<Cost> {
  meter.reset();
  const id = await here.start(definition, { variables: { customer } });
  let looks = 0;
  await until("it has ended, and its outbox is empty", async () => {
    looks += 1;
    const read = await here.cell(id).read(id);
    if (!read.ok || read.value.finishedAt === null || (read.value.outbox ?? []).length > 0) return null;
    return read.value;
  });
  // The catalog is written last, a batch at a time.
  await until("the catalog is written", () => (meter.bill.catalogRows > 0 ? true : null));
  await scheduler.wait(CATALOG_BATCH_MS + 100);
  const { objectRequests, ...cost } = costOf(meter.bill, 1);
  return { ...cost, objectRequests: objectRequests - looks };
}
