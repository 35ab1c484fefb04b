// What `npm run drill:hold` runs: sends the worst bodies that each route takes, while another tenant's small requests are timed. Routes come
// from /openapi.json, and those of hooks besides, so that a new route is measured by being there.
//   --only <pattern>    routes whose "METHOD /path" matches
//   --all               a line for each body, not only for the worst of each route
//   --minutes 20        ends after so long, and says which routes it did not reach
//   --at-once 8         instead, one and then so many senders of previews, forecasts and definitions with tests
//   --limit-ms 100      how much later than quiet a probe may be answered
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { isLoopback } from "../load/options.ts";
import { host } from "../host.ts";
import { measureAtOnce } from "./at-once.ts";
import { engineThread } from "./engine-thread.ts";
import { laterMs, measureRoute, type Measured } from "./measure.ts";
import { openProbe } from "./probe.ts";
import { routesOf } from "./routes.ts";
import { linesOf, tableAtOnce, tableOf } from "./table.ts";
import { makeWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    minutes: { type: "string", default: "20" },
    "at-once": { type: "string" },
    "limit-ms": { type: "string", default: "100" },
  },
});
const LIMIT_MS = Number(values["limit-ms"]);
const endsAt = performance.now() + Number(values.minutes) * 60_000;

const rootKey = `root-${randomBytes(8).toString("hex")}`;
const secrets = { SECRETS_KEYS: `k1:${randomBytes(32).toString("base64url")}`, SIGNING_KEY: "of-the-hold-drill" };
const vars = { ROOT_KEY: rootKey, ALLOW_LOOPBACK: "true", ...secrets };
const { engineUrl, dispose } = await host({ persist: false, quiet: true, vars });
if (!isLoopback(engineUrl)) throw new Error(`${engineUrl} is not this machine`);
try {
  const senders = values["at-once"];
  process.exitCode = (await (senders === undefined ? drill() : drillAtOnce(Number(senders)))) ? 0 : 1;
} finally {
  await dispose();
}
process.exit();

/** Whether no probe was held. */
async function drill(): Promise<boolean> {
  const world = await makeWorld(engineUrl, rootKey);
  const probe = await openProbe(world.probe);
  const routes = (await routesOf(engineUrl, world)).filter(({ name }) => new RegExp(values.only).test(name));
  const measured: Measured[] = [];
  const engine = engineThread();
  for (const route of routes) {
    if (performance.now() > endsAt) break;
    const found = await measureRoute(route, { probe, engine, limitMs: LIMIT_MS });
    measured.push(found);
    for (const line of linesOf(found, { all: values.all, limitMs: LIMIT_MS })) console.error(line);
  }
  await probe.close();
  console.log(tableOf(measured, LIMIT_MS));
  const left = routes.slice(measured.length).map(({ name }) => name);
  if (left.length > 0) console.log(`\nnot reached: ${left.join(", ")}`);
  return left.length === 0 && measured.every(({ bodies }) => bodies.every(({ heldMs }) => heldMs <= LIMIT_MS));
}

/** Whether no probe was answered later than the limit allows. */
async function drillAtOnce(senders: number): Promise<boolean> {
  const world = await makeWorld(engineUrl, rootKey);
  const probe = await openProbe(world.probe);
  const measured = await measureAtOnce(world, probe, senders);
  await probe.close();
  console.log(tableAtOnce(measured));
  return measured.every(({ quiet, meanwhile }) => laterMs(quiet, meanwhile) <= LIMIT_MS);
}
