// Local server: hosts the engine and its sandbox, creates the demo, prints the addresses, and stops on a signal.
// start.ts runs it.
import { join, resolve } from "node:path";
import { readOrCreateVars } from "../dev-vars.ts";
import { type Host, host } from "../host.ts";
import { seed, type Seeded } from "../seed.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { explainStartError } from "./explain.ts";
import { readSettings, varsFileOf } from "./settings.ts";

const root = resolve(import.meta.dirname, "../..");
const settings = orRefuse(() => readSettings(process.env, root));
const { stateDir } = settings;
const vars = readOrCreateVars(varsFileOf(stateDir, root));

const address = settings.port === 0 ? {} : { PUBLIC_URL: `http://127.0.0.1:${settings.port}` };
// The Worker of the example shop-order.json. Its methods are steps of the example.
const shop = {
  extraWorkers: [{ config: join(root, "examples/shop-worker/wrangler.toml") }],
  services: { SHOP: "shop-worker" },
};
const engineVars = { ...address, ACTION_SERVICES: "shop=SHOP", ...vars };
const hosted = await host({ root, vars: engineVars, ...shop, ...settings }).catch(refuseToStart);
stopOnSignal(hosted);

console.log(`engine   ${hosted.engineUrl}`);
console.log(`sandbox  ${hosted.sandboxUrl}`);
if (!process.argv.includes("--no-seed")) await showDemo(hosted);
// Creating the demo took about ten megabytes.
collectGarbage();
console.log("Ctrl-C stops both; what they stored stays in", stateDir);

async function showDemo({ engineUrl, sandboxUrl }: Host): Promise<void> {
  const keyFile = join(stateDir, "demo-key");
  const example = join(root, "examples", "lease-notice.json");
  try {
    const seeded = await seed({ engineUrl, sandboxUrl, rootKey: vars.ROOT_KEY ?? "", keyFile, example });
    console.log(`key      ${seeded.key}\n\n${curlLines(engineUrl, seeded).join("\n")}\n`);
  } catch (error) {
    console.error(`The engine runs, but the demo could not be made: ${messageOf(error)}`);
  }
}

function curlLines(engineUrl: string, { key, execution }: Seeded): string[] {
  const auth = `-H "Authorization: Bearer ${key}"`;
  const one = `${engineUrl}/v1/executions/${execution ?? "<execution>"}`;
  const event = `-H "Content-Type: application/json" -d '{"type":"notice.received","payload":{"terminationDate":"2027-06-30"}}'`;
  return [
    `curl ${auth} "${engineUrl}/v1/executions"`,
    `curl ${auth} ${event} "${one}/events"`,
    `curl ${auth} "${one}/journal"`,
  ];
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuseToStart(error);
  }
}

function refuseToStart(error: unknown): never {
  console.error(explainStartError(error));
  process.exit(1);
}

/** Replaces Miniflare's handlers, which exit with 130 at once; npm would report that as a failure. */
function stopOnSignal({ dispose }: Host): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void dispose().finally(() => process.exit(0));
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
