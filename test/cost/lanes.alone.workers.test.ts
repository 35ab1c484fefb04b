// What each way of being carried out costs, as clients start executions: each in a request of its own, under a key of its own.
// Those in objects of their own come one by one; of pooled ones twenty at a time, for what they cost is shared.
import { afterAll, it } from "vitest";
import { chain, engine, hook, PROVIDER, provider } from "#test/flows/engine.ts";
import { carriedOut } from "./carried-out.ts";
import { openMeter } from "./meter.ts";
import { costOf, HEADING, lineOf, type Cost } from "./prices.ts";
import { staysWithin, type Most } from "./rounds.ts";

const meter = await openMeter();
const table: string[] = [HEADING];
afterAll(() => console.log(table.join("\n")));

const CROWD = 200;
const AT_ONCE = 20;
const three = ["reserve", "charge", "confirm"];
/** What the provider does is in an action's name: it answers 503 at first, or 400 always. */
const threeAgain = three.map((name) => `again-${name}`);
const pooled = { placement: "pooled" };
const soon = { retryPolicy: { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 300, jitter: "none" } };
const once = { retryPolicy: { maxAttempts: 1 } };
const done = { type: "final" };

type Lane = {
  readonly what: string;
  /** Nothing: an action alone. */
  readonly definition?: object;
  readonly action?: string;
  readonly ends?: "waiting";
  readonly most: Most;
};

const machine = (name: string, states: object, more: object = {}): object => ({
  kind: "machine",
  name,
  initial: Object.keys(states)[0],
  states,
  ...more,
});
/** Longer than the two seconds within which no alarm is set for it alone. */
const waits = { asleep: { after: { 2_500: "done" } }, done };
const takes = { send: { on: { "action.refused.failed": "done" } }, done };
const refused = { actions: [hook("refused", { triggerState: "send", ...once })] };

/** What is metered on a quiet machine, and a little more. */
const own: readonly Lane[] = [
  { what: "own, 3 actions, auto", definition: chain("a", three), most: [9, 2, 2, 6] },
  { what: "own, 3 actions, each tried twice", definition: chain("b", threeAgain, {}, soon), most: [18, 3, 3, 7] },
  { what: "own, a failure that is taken", definition: machine("c", takes, refused), most: [8, 2, 2, 6] },
  // Its start and its end are projected apart, each with a row of figures.
  { what: "own, a timer", definition: machine("d", waits), most: [9, 3, 3, 6] },
];
const many: readonly Lane[] = [
  { what: "pooled, 3 actions, auto", definition: chain("a", three, pooled), most: [5, 1.5, 0.5, 5] },
  {
    what: "pooled, 3 actions, each tried twice",
    definition: chain("b", threeAgain, pooled, soon),
    most: [11, 1.5, 0.5, 5],
  },
  {
    what: "pooled, a failure that is taken",
    definition: machine("c", takes, { ...refused, ...pooled }),
    most: [3, 1.5, 0.5, 5],
  },
  { what: "pooled, a timer", definition: machine("d", waits, pooled), most: [3, 1.5, 0.5, 5] },
  { what: "pooled, 1 action", definition: chain("e", ["notify"], pooled), most: [3, 1.5, 0.5, 2.5] },
  { what: "standalone, one a request", action: "notify", most: [3, 1.5, 0.5, 2.5] },
  { what: "standalone, a dead letter", action: "refused", ends: "waiting", most: [3, 1.5, 0.5, 8] },
];

it.each(own)("$what", async (lane) => {
  const { shop, begin } = await opened(lane);
  await staysWithin(lane.most, async (round) => {
    meter.reset();
    await carriedOut(shop, async () => [await begin(round)], round);
    return metered(lane, 1);
  });
});

it.each(many)("$what", async (lane) => {
  const { shop, begin } = await opened(lane);
  const carryOut = (round: number): Promise<readonly string[]> =>
    carriedOut(shop, () => crowd(round * CROWD, begin), (round + 1) * CROWD, lane.ends);
  // What is made once, the table of a cell among it, is made for the first of them.
  await carryOut(0);
  await staysWithin(lane.most, async (round) => {
    meter.reset();
    await carryOut(round);
    return metered(lane, CROWD);
  });
});

async function opened({ definition, action }: Lane) {
  provider(({ url: { pathname }, attempt }) => {
    if (pathname === "/refused") return new Response("no", { status: 400 });
    return pathname.startsWith("/again") && attempt === 1 ? new Response("no", { status: 503 }) : Response.json({});
  });
  const shop = await engine(...(definition === undefined ? [] : [definition]));
  const begin = async (n: number): Promise<string> => {
    const headers = { "Idempotency-Key": `order-${n}` };
    if (definition === undefined) {
      const body = { type: "webhook", config: { url: `${PROVIDER}/${action}` }, ...once };
      return (await shop.must(201, "POST", "/v1/actions", { body, headers })).id;
    }
    const { name } = definition as { readonly name: string }; // each of those above has one
    return (await shop.must(201, "POST", "/v1/executions", { body: { definition: name }, headers })).execution.id;
  };
  return { shop, begin };
}

async function crowd(from: number, begin: (n: number) => Promise<string>): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + CROWD; n += AT_ONCE)
    ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => begin(n + i)))));
  return ids;
}

function metered({ what }: Lane, count: number): Cost {
  const cost = costOf(meter.bill, count);
  table.push(lineOf(what, cost));
  return cost;
}
