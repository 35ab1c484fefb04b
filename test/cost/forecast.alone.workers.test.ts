// What a forecast says that an execution costs the platform, held against what is metered: the constants of
// src/schema/limits/platform-costs.ts are measured here, and so is what is read off an execution's steps.
import { expect, it, vi } from "vitest";
import { openMeter } from "./meter.ts";
import { chain, engine, PROVIDER, provider, until, type Engine } from "#test/flows/engine.ts";

vi.setConfig({ testTimeout: 120_000 });
const meter = await openMeter();

const call = { type: "webhook", config: { url: PROVIDER } };
const journey = (name: string, nodes: object, more: object = {}) => ({
  kind: "journey",
  name,
  initial: Object.keys(nodes)[0],
  nodes,
  ...more,
});
const subject = { subject: { var: "execution.variables.customer" } };
const soon = { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 1_700, jitter: "none" };

type Named = { readonly name: string };
const cases: readonly (readonly [what: string, definition: Named, more: object])[] = [
  ["three actions in the direct lane", chain("three", ["a", "b", "c"]) as Named, {}],
  ["three actions in the queue lane", chain("queued", ["a", "b", "c"], { lane: "queue" }) as Named, {}],
  [
    "an action that is tried again",
    journey("retried", { mail: { ...call, config: { url: `${PROVIDER}/fail` }, retry: soon } }),
    { assume: { actions: { mail: [{ outcome: "failed" }, {}] } } },
  ],
  [
    "a delay between two",
    journey("delayed", {
      mail: { ...call, next: "wait" },
      wait: { type: "delay", for: "PT1.7S", next: "more" },
      more: call,
    }),
    {},
  ],
  ["somebody that it is about", journey("about", { mail: call }, subject), {}],
  [
    "somebody that it is about, who is told of at the second try",
    journey("again", { mail: { ...call, config: { url: `${PROVIDER}/fail` }, retry: soon } }, subject),
    { assume: { actions: { mail: [{ outcome: "failed" }, {}] } } },
  ],
  [
    "a failure that is taken",
    journey("dead", {
      mail: { ...call, config: { url: `${PROVIDER}/fail` }, retry: { maxAttempts: 1 }, onFailed: "over" },
      over: { type: "exit" },
    }),
    { assume: { actions: { mail: { outcome: "failed" } } } },
  ],
  [
    "a message under a cap",
    journey("capped", { mail: { ...call, cap: "few" } }, { ...subject, caps: { few: { max: 3, per: "P1D" } } }),
    {},
  ],
];

it.each(cases)("%s cost what is forecast", async (_what, definition, more) => {
  provider(({ url, attempt }) =>
    url.pathname === "/fail" && attempt === 1 ? new Response("no", { status: 503 }) : Response.json({}),
  );
  const here = await engine(definition);
  const subjects = [{ variables: { customer: "c-1" } }];
  const path = `/v1/definitions/${definition.name}/forecast`;
  const { platform } = await here.must(200, "POST", path, { body: { subjects, ...more } });
  const { dollars: _dollars, ...forecast } = platform;
  // What is made once, tables and all, is made for somebody else; and what a busy machine adds is not what is forecast.
  let measured = await spent(here, definition.name, "c-0");
  for (let n = 1; n <= TRIES && !isSame(measured, forecast); n++) {
    measured = await spent(here, definition.name, `c-${n}`);
  }
  expect(measured).toEqual(forecast);
});

const TRIES = 5;

function isSame(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
}

async function spent(here: Engine, definition: string, customer: string) {
  meter.reset();
  const id = await here.start(definition, { variables: { customer } });
  let looks = 0;
  await until("it has ended, and whom it concerns has heard of that", async () => {
    looks += 1;
    const read = await here.cell(id).read(id);
    if (!read.ok || read.value.finishedAt === null || (read.value.outbox ?? []).length > 0) return null;
    return read.value;
  });
  // The lists are the last to be told.
  let before = -1;
  await until("the catalog has been told", async () => {
    const isQuiet = meter.bill.catalogRows > 0 && meter.bill.catalogRows === before;
    before = meter.bill.catalogRows;
    await scheduler.wait(1_100);
    return isQuiet ? true : null;
  });
  const { sqlRows, alarmsSet, objectCalls, alarmsRung, actionMessages, projectionMessages, catalogRows } = meter.bill;
  return {
    objectRows: sqlRows + alarmsSet,
    objectRequests: objectCalls + alarmsRung - looks,
    queueMessages: actionMessages + projectionMessages,
    catalogRows,
  };
}
